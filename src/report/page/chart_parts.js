// Axes and plugins for Chart.js.

// Shows decades only, about eight of them. An axis of less than a decade keeps Chart.js's ticks.
sunder.decadeTicks = function (axis) {
  const first = Math.ceil(Math.log10(axis.min) - 1e-9);
  const last = Math.floor(Math.log10(axis.max) + 1e-9);
  if (!(last > first)) return;
  const step = Math.ceil((last - first + 1) / (axis.isHorizontal() && axis.width < 400 ? 5 : 8));
  axis.ticks = [];
  for (let k = first; k <= last; k += step) axis.ticks.push({ value: Math.pow(10, k) });
};

// Shows integers at steps of 1, 2 or 5 times a power of ten, wherever the axis ends.
sunder.wholeTicks = function (axis) {
  const room = Math.max(2, (axis.isHorizontal() ? axis.maxWidth / 60 : axis.maxHeight / 30) || 8);
  const least = Math.max(1, (axis.max - axis.min) / room);
  const power = Math.pow(10, Math.floor(Math.log10(least)));
  const step = [1, 2, 5, 10].map((k) => k * power).find((candidate) => candidate >= least);
  axis.ticks = [];
  for (let value = Math.ceil(axis.min / step) * step; value <= axis.max; value += step) {
    axis.ticks.push({ value });
  }
};

sunder.tickLabel = function (axis) {
  return (value) => {
    if (!axis.log) return sunder.number(value, 5);
    const exponent = Math.log10(value);
    const decade = Math.abs(exponent - Math.round(exponent)) < 1e-9;
    return decade && Math.abs(exponent) > 2.5
      ? "10" + sunder.raised(Math.round(exponent))
      : sunder.number(value, 3);
  };
};

sunder.chartAxis = function (axis, changes = {}) {
  const ink = sunder.colour("--muted");
  return {
    type: axis.log ? "logarithmic" : "linear",
    title: { display: axis.label !== "", text: axis.label, color: ink },
    grid: { color: sunder.colour("--line"), borderColor: sunder.colour("--line") },
    ticks: {
      color: ink,
      maxRotation: 0,
      precision: axis.integer ? 0 : undefined,
      callback: sunder.tickLabel(axis),
    },
    afterBuildTicks: axis.log ? sunder.decadeTicks : axis.integer ? sunder.wholeTicks : undefined,
    ...changes,
  };
};

// Draws the marks of a plot: vertical lines with a label.
sunder.markPlugin = {
  id: "marks",
  afterDatasetsDraw(chart, _, options) {
    const { ctx, chartArea: area, scales } = chart;
    ctx.save();
    ctx.strokeStyle = sunder.colour("--ink");
    ctx.font = Chart.defaults.font.size + "px " + Chart.defaults.font.family;
    ctx.setLineDash([5, 4]);
    (options.marks || []).forEach((mark, k) => {
      const x = scales.x.getPixelForValue(mark.x);
      if (mark.x === null || x < area.left || x > area.right) return;
      ctx.beginPath();
      ctx.moveTo(x, area.top);
      ctx.lineTo(x, area.bottom);
      ctx.stroke();
      const left = x > (area.left + area.right) / 2;
      ctx.textAlign = left ? "right" : "left";
      // Each label has its own background and is lower than the one before, because marks may be
      // close.
      const at = { x: x + (left ? -6 : 6), y: area.top + 14 + 18 * k };
      const width = ctx.measureText(mark.label).width;
      ctx.fillStyle = sunder.colour("--card");
      ctx.fillRect(left ? at.x - width - 2 : at.x - 2, at.y - 11, width + 4, 15);
      ctx.fillStyle = sunder.colour("--ink");
      ctx.fillText(mark.label, at.x, at.y);
    });
    ctx.restore();
  },
};

// Draws whiskers from low to high of each point, for curves that have them.
sunder.whiskerPlugin = {
  id: "whiskers",
  beforeDatasetsDraw(chart) {
    const { ctx, scales } = chart;
    ctx.save();
    chart.data.datasets.forEach((set, k) => {
      if (!set.whiskers || !chart.isDatasetVisible(k)) return;
      ctx.strokeStyle = set.borderColor;
      set.data.forEach((point, i) => {
        const { low, high } = set.whiskers[i];
        if (low === null || high === null) return;
        const x = scales.x.getPixelForValue(point.x);
        const ends = [scales.y.getPixelForValue(low), scales.y.getPixelForValue(high)];
        ctx.beginPath();
        ctx.moveTo(x, ends[0]);
        ctx.lineTo(x, ends[1]);
        for (const y of ends) {
          ctx.moveTo(x - 4, y);
          ctx.lineTo(x + 4, y);
        }
        ctx.stroke();
      });
    });
    ctx.restore();
  },
};
