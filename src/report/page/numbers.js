// Numbers as in print: 0.0123, 12.3, 8.9×10⁻¹².

sunder.raised = function (exponent) {
  const digits = "⁰¹²³⁴⁵⁶⁷⁸⁹";
  return [...String(exponent)].map((c) => (c === "-" ? "⁻" : digits[Number(c)])).join("");
};

sunder.number = function (value, digits = 4) {
  if (value === null || !Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const sign = value < 0 ? "−" : "";
  const size = Math.abs(value);
  if (Number.isInteger(size) && size < 1e15) {
    return sign + String(size).replace(/\B(?=(\d{3})+$)/g, size < 1e4 ? "" : "\u202f");
  }
  const [mantissa, exponent] = size.toExponential(digits - 1).split("e");
  if (Number(exponent) >= -4 && Number(exponent) < 6) {
    return sign + String(Number(size.toPrecision(digits)));
  }
  const short = String(Number(mantissa));
  const power = "10" + sunder.raised(Number(exponent));
  return sign + (short === "1" ? power : short + "×" + power);
};
