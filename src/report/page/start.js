// Draws every section of the page, and redraws the charts when the colours change.

sunder.start = function () {
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  Chart.defaults.font.size = 12;
  for (const figure of document.querySelectorAll("figure[data-kind]")) {
    const data = JSON.parse(figure.querySelector("script").textContent);
    sunder.kinds[figure.dataset.kind](figure, data);
  }
  const redraw = () => sunder.redraws.forEach((draw) => draw());
  for (const query of ["(prefers-color-scheme: dark)", "print"]) {
    matchMedia(query).addEventListener("change", redraw);
  }
};

sunder.start();
