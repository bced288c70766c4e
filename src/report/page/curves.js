// Curves: plots with named series, bands or whiskers, log axes, and lists to choose a plot from.

sunder.points = function (curve, values, axis, log, xLog) {
  const usable = (value, isLog) => value !== null && value !== undefined && (!isLog || value > 0);
  const xs = curve.x.length > 0 ? curve.x[Math.min(axis, curve.x.length - 1)] : null;
  return values.map((y, k) => {
    const x = xs ? xs[k] : k;
    return { x: usable(x, xLog) ? x : NaN, y: usable(y, log) ? y : NaN };
  });
};

// The datasets for Chart.js. A band needs two more, which are invisible except for the area
// between.
sunder.curveSets = function (plot, axis) {
  const sets = [];
  plot.curves.forEach((curve, k) => {
    const colour = sunder.colour("--series-" + (k % 6));
    const points = (values) =>
      sunder.points(curve, values, axis, plot.y.log, plot.x[axis].log);
    const few = curve.y.length <= 40 && !curve.filled;
    const set = {
      label: curve.name,
      data: points(curve.y),
      borderColor: colour,
      backgroundColor: curve.filled ? colour + "55" : colour,
      borderWidth: curve.filled ? 1 : 1.8,
      borderDash: k < 6 ? [] : [6, 3],  // the colours repeat
      pointRadius: few ? 2.5 : 0,
      pointHitRadius: 8,
      fill: curve.filled ? "start" : false,
      tension: 0,
      clip: curve.filled ? 0 : 4,
      curve: k,
    };
    sets.push(set);
    if (!curve.low || !curve.high) return;
    if (plot.spread === "whiskers") {
      set.whiskers = curve.y.map((_, i) => ({ low: curve.low[i], high: curve.high[i] }));
      return;
    }
    const band = { borderWidth: 0, pointRadius: 0, pointHitRadius: 0, band: true, curve: k };
    sets.push({ ...band, data: points(curve.low), fill: false });
    sets.push({ ...band, data: points(curve.high), fill: "-1", backgroundColor: colour + "33" });
  });
  return sets;
};

// The x axis ends at the data, without rounding to ticks; the y axis must also include the
// whiskers.
sunder.curveScales = function (plot, axis, sets) {
  const finite = (values) => values.filter((value) => Number.isFinite(value));
  const xs = finite(sets.flatMap((set) => set.data.map((point) => point.x)));
  const x = sunder.chartAxis(plot.x[axis]);
  const low = xs.reduce((a, b) => Math.min(a, b), Infinity);
  const high = xs.reduce((a, b) => Math.max(a, b), -Infinity);
  if (low < high) Object.assign(x, { min: low, max: high });
  const y = sunder.chartAxis(plot.y);
  if (!plot.y.log && plot.curves.some((curve) => curve.filled)) y.beginAtZero = true;
  const spread = finite(plot.curves.flatMap((curve) => [...(curve.low || []), ...(curve.high || [])]))
    .filter((value) => !plot.y.log || value > 0);
  if (spread.length > 0) {
    y.suggestedMin = Math.min(...spread);
    y.suggestedMax = Math.max(...spread);
  }
  return { x, y };
};

sunder.curveLegend = function (plot) {
  return {
    display: plot.curves.length > 1,
    labels: {
      color: sunder.colour("--ink"),
      boxWidth: 14,
      boxHeight: 3,
      filter: (item, data) => !data.datasets[item.datasetIndex].band,
    },
    // A band is shown and hidden with its curve.
    onClick: (_, item, legend) => {
      const chart = legend.chart;
      const visible = !chart.isDatasetVisible(item.datasetIndex);
      const curve = chart.data.datasets[item.datasetIndex].curve;
      chart.data.datasets.forEach((set, k) => {
        if (set.curve === curve) chart.setDatasetVisibility(k, visible);
      });
      chart.update();
    },
  };
};

sunder.drawPlot = function (canvas, plot, axis) {
  const old = Chart.getChart(canvas);
  if (old) old.destroy();
  const sets = sunder.curveSets(plot, axis);
  return new Chart(canvas, {
    type: "line",
    data: { datasets: sets },
    plugins: [sunder.markPlugin, sunder.whiskerPlugin],
    options: {
      animation: false,
      maintainAspectRatio: false,
      parsing: false,
      normalized: true,
      interaction: { mode: "nearest", axis: "x", intersect: false },
      scales: sunder.curveScales(plot, axis, sets),
      plugins: {
        legend: sunder.curveLegend(plot),
        marks: { marks: plot.marks },
        tooltip: {
          filter: (item) => !item.dataset.band,
          callbacks: {
            title: (items) =>
              items.length > 0
                ? plot.x[axis].label + " " + sunder.number(items[0].parsed.x, 5)
                : "",
            label: (item) =>
              (item.dataset.label ? item.dataset.label + ": " : "") +
              sunder.number(item.parsed.y, 5),
          },
        },
      },
    },
  });
};

// Builds a plot: title, canvas, and a list of x axes if there are several.
sunder.plotElement = function (plot) {
  let axis = 0;
  const canvas = sunder.element("canvas", { role: "img", "aria-label": plot.description });
  const box = sunder.element("div", { class: "plot" });
  if (plot.title) box.append(sunder.element("h3", { text: plot.title }));
  const draw = () => sunder.drawPlot(canvas, plot, axis);
  if (plot.x.length > 1) {
    const options = plot.x.map((one, k) => [k, one.label]);
    box.append(
      sunder.choice("along", options, axis, (chosen) => {
        axis = chosen;
        draw();
      }),
    );
  }
  // A legend with many names needs more height.
  const kind = plot.curves.length > 3 ? "chart tall" : "chart";
  box.append(sunder.element("div", { class: kind }, canvas));
  return { box, draw, canvas };
};

// Returns the plots for the current choices; -1 stands for all options of a choice.
sunder.chosenPlots = function (choices, chosen) {
  return choices.reduce(
    (numbers, choice, k) => {
      const options = chosen[k] >= 0 ? [chosen[k]] : choice.options.map((_, j) => j);
      return numbers.flatMap((number) =>
        options.map((option) => number * choice.options.length + option),
      );
    },
    [0],
  );
};

sunder.kinds.curves = function (figure, data) {
  const chosen = data.choices.map((choice) =>
    choice.side_by_side && choice.options.length > 1 ? -1 : 0,
  );
  const grid = sunder.element("div", { class: "plots" });
  let shown = [];
  const draw = () => shown.forEach((plot) => plot.draw());
  const show = () => {
    shown.forEach((plot) => Chart.getChart(plot.canvas)?.destroy());
    shown = sunder.chosenPlots(data.choices, chosen).map((k) => sunder.plotElement(data.plots[k]));
    grid.classList.toggle("several", shown.length > 1);
    grid.replaceChildren(...shown.map((plot) => plot.box));
    grid.classList.toggle("wide", grid.querySelector(".tall") !== null);
    draw();
  };
  const controls = sunder.element("div", { class: "controls" });
  data.choices.forEach((choice, k) => {
    if (choice.options.length < 2) return;
    const options = choice.options.map((text, j) => [j, text]);
    if (choice.side_by_side) options.unshift([-1, "all"]);
    controls.append(
      sunder.choice(choice.label, options, chosen[k], (option) => {
        chosen[k] = option;
        show();
      }),
    );
  });
  sunder.insert(figure, ...(controls.childElementCount > 0 ? [controls] : []), grid);
  show();
  sunder.redraws.push(draw);
};
