// Images: stacks of pictures side by side, with a slider over the frames.

sunder.decode = function (stack) {
  if (!stack.bytes) stack.bytes = Uint8Array.from(atob(stack.codes), (c) => c.charCodeAt(0));
  if (!stack.table) stack.table = sunder.colourTable(stack.palette);
  return stack.bytes;
};

sunder.paint = function (canvas, view, stack, frame) {
  const size = view.rows.indices.length * view.columns.indices.length;
  const codes = sunder.decode(stack);
  const below = stack.over === undefined ? null : view.stacks[stack.over];
  const belowCodes = below ? sunder.decode(below) : null;
  const zero = sunder.zeroCode(stack);
  const context = canvas.getContext("2d");
  const picture = context.createImageData(canvas.width, canvas.height);
  for (let k = 0; k < size; ++k) {
    const code = codes[frame * size + k];
    const [r, g, b] =
      below && code === zero ? below.table[belowCodes[frame * size + k]] : stack.table[code];
    picture.data.set([r, g, b, 255], 4 * k);
  }
  context.putImageData(picture, 0, 0);
};

// Gives the canvas the proportions of the slice, not of the thinned picture, within limits.
sunder.aspect = function (view) {
  return Math.min(3, Math.max(1 / 3, view.columns.extent / view.rows.extent));
};

sunder.picture = function (view, stack, onpoint) {
  const canvas = sunder.element("canvas", {
    class: "picture",
    role: "img",
    "aria-label": stack.name,
    width: view.columns.indices.length,
    height: view.rows.indices.length,
  });
  canvas.style.aspectRatio = String(sunder.aspect(view));
  canvas.addEventListener("pointermove", (event) => {
    const box = canvas.getBoundingClientRect();
    const at = (position, length, count) =>
      Math.min(count - 1, Math.max(0, Math.floor((position / length) * count)));
    onpoint(
      at(event.clientY - box.top, box.height, canvas.height),
      at(event.clientX - box.left, box.width, canvas.width),
    );
  });
  const title = sunder.element("h3", { text: stack.name });
  return {
    canvas,
    box: sunder.element("div", { class: "panel" }, title, canvas, sunder.colourBar(stack)),
  };
};

// One view: its pictures, the slider, and a line that shows the entry under the pointer.
sunder.imageView = function (view, unit) {
  const frames = view.frames.indices;
  let frame = Math.floor((frames.length - 1) / 2);
  let pointed = null;
  const readout = sunder.element("p", { class: "readout", text: "\u00a0" });
  const tell = () => {
    if (!pointed) return;
    const [row, column] = pointed;
    const at = (frame * view.rows.indices.length + row) * view.columns.indices.length + column;
    const values = view.stacks.map(
      (stack) => stack.name.split(",")[0] + " " + sunder.codeText(stack, stack.bytes[at]),
    );
    readout.textContent =
      `row ${view.rows.indices[row]}, column ${view.columns.indices[column]}: ` +
      values.join(", ") + (unit ? " " + unit : "");
  };
  const pictures = view.stacks.map((stack) =>
    sunder.picture(view, stack, (row, column) => {
      pointed = [row, column];
      tell();
    }),
  );
  const label = sunder.element("output");
  const slider = sunder.element("input", { type: "range", min: 0, max: frames.length - 1, step: 1 });
  slider.setAttribute("aria-label", "index in " + view.frames.label);
  slider.value = frame;
  const draw = () => {
    view.stacks.forEach((stack, k) => sunder.paint(pictures[k].canvas, view, stack, frame));
    label.textContent = view.frames.label.startsWith("mode")
      ? `index ${frames[frame]} of ${view.frames.extent - 1} in ${view.frames.label}`
      : `${view.frames.label} ${frames[frame]} of ${view.frames.extent - 1}`;
    slider.setAttribute("aria-valuetext", label.textContent);
    tell();
  };
  slider.addEventListener("input", () => {
    frame = Number(slider.value);
    draw();
  });
  const parts = [sunder.element("div", { class: "panels" }, ...pictures.map((one) => one.box))];
  if (frames.length > 1) {
    parts.unshift(sunder.element("div", { class: "slider" }, slider, label));
  } else if (view.frames.label) {
    parts.unshift(sunder.element("p", { text: "The only slice shown: index " + frames[0] + "." }));
  }
  parts.push(readout);
  if (view.note) parts.push(sunder.element("p", { class: "note", text: view.note }));
  return { parts, draw };
};

sunder.kinds.images = function (figure, data) {
  const stage = sunder.element("div");
  const show = (k) => {
    const { parts, draw } = sunder.imageView(data.views[k], data.unit);
    stage.replaceChildren(...parts);
    draw();
  };
  if (data.views.length > 1) {
    const options = data.views.map((view, k) => [k, view.name]);
    const controls = sunder.element("div", { class: "controls" });
    controls.append(sunder.choice(data.choice, options, data.first, show));
    sunder.insert(figure, controls);
  }
  sunder.insert(figure, stage);
  show(data.first);
};
