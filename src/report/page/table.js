// Tables, sortable by every column.

sunder.compareCells = function (a, b) {
  if (a === null || b === null) return (a === null) - (b === null);
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), undefined, { numeric: true });
};

sunder.cellElement = function (value, first) {
  const number = typeof value === "number" || value === null;
  const cell = sunder.element(first ? "th" : "td", {
    text: number ? sunder.number(value, 5) : value,
    class: number ? "number" : "",
  });
  if (first) cell.scope = "row";
  if (typeof value === "number") cell.title = String(value);
  return cell;
};

sunder.kinds.table = function (figure, data) {
  const body = sunder.element("tbody");
  const fill = (rows) =>
    body.replaceChildren(
      ...rows.map((row) =>
        sunder.element("tr", {}, ...row.map((value, k) => sunder.cellElement(value, k === 0))),
      ),
    );
  const heads = data.columns.map((name, column) => {
    const head = sunder.element("th", { scope: "col" });
    head.append(
      sunder.element("button", {
        type: "button",
        text: name,
        onclick: () => {
          const down = head.getAttribute("aria-sort") === "ascending";
          heads.forEach((other) => other.removeAttribute("aria-sort"));
          head.setAttribute("aria-sort", down ? "descending" : "ascending");
          const sign = down ? -1 : 1;
          fill([...data.rows].sort((a, b) => sign * sunder.compareCells(a[column], b[column])));
        },
      }),
    );
    const numeric = data.rows.length > 0 && data.rows.every((row) => typeof row[column] !== "string");
    if (numeric) head.className = "number";
    return head;
  });
  const head = sunder.element("thead", {}, sunder.element("tr", {}, ...heads));
  // Focusable, so that the keyboard can scroll a wide table.
  const scroll = sunder.element("div", { class: "scroll", tabindex: 0, role: "group" });
  scroll.setAttribute("aria-label", "table: " + data.columns.join(", "));
  scroll.append(sunder.element("table", {}, head, body));
  sunder.insert(figure, scroll);
  fill(data.rows);
};
