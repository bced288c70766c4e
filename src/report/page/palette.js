// The colours of the pictures: red, green and blue for each byte. 255 is a missing entry.

sunder.palettes = {
  diverging: [[0, 33, 74, 140], [0.25, 84, 148, 199], [0.5, 255, 255, 255], [0.75, 221, 115, 84],
    [1, 128, 16, 40]],
  heat: [[0, 255, 255, 255], [0.35, 250, 196, 120], [0.7, 200, 70, 60], [1, 74, 12, 60]],
  grey: [[0, 0, 0, 0], [1, 255, 255, 255]],
};
sunder.missingCode = 255;
sunder.highestCode = 254;
sunder.missingColour = [150, 150, 150];

sunder.colourTable = function (name) {
  const stops = sunder.palettes[name];
  const table = [];
  for (let code = 0; code <= sunder.highestCode; ++code) {
    const at = code / sunder.highestCode;
    let k = 1;
    while (stops[k][0] < at) ++k;
    const [from, to] = [stops[k - 1], stops[k]];
    const part = (at - from[0]) / (to[0] - from[0]);
    table.push([1, 2, 3].map((c) => Math.round(from[c] + part * (to[c] - from[c]))));
  }
  table.push(sunder.missingColour);
  return table;
};

sunder.codeValue = function (stack, code) {
  return stack.low + (code / sunder.highestCode) * (stack.high - stack.low);
};

// Adds "≥" or "≤" at the ends of the scale, where the value may be beyond.
sunder.codeText = function (stack, code) {
  if (code === sunder.missingCode) return "missing";
  const value = sunder.codeValue(stack, code);
  const end = code === sunder.highestCode ? "≥ " : code === 0 ? "≤ " : "";
  const sign = stack.clipped ? end : "";
  return sign + sunder.number(Math.abs(value) < 1e-12 * stack.high ? 0 : value, 3);
};

// Codes that count as 0 in a stack that is drawn over another.
sunder.zeroCode = function (stack) {
  return Math.round(((0 - stack.low) / (stack.high - stack.low)) * sunder.highestCode);
};

// Draws the colour scale below a picture.
sunder.colourBar = function (stack) {
  const canvas = sunder.element("canvas", { width: 255, height: 1, class: "bar" });
  canvas.setAttribute("aria-hidden", "true");
  const context = canvas.getContext("2d");
  sunder.colourTable(stack.palette).slice(0, 255).forEach(([r, g, b], k) => {
    context.fillStyle = `rgb(${r},${g},${b})`;
    context.fillRect(k, 0, 1, 1);
  });
  const ends = [stack.low, (stack.low + stack.high) / 2, stack.high];
  const labels = ends.map((value) => sunder.element("span", { text: sunder.number(value, 3) }));
  return sunder.element("div", {}, canvas, sunder.element("div", { class: "ends" }, ...labels));
};
