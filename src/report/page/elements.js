"use strict";

// Functions shared by the scripts of the page. Each kind of section registers a function that
// receives the section's figure and data. Text from outside enters the page only through
// textContent.
const sunder = { kinds: {}, redraws: [] };

sunder.element = function (tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") element.textContent = value;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
};

// Inserts before the caption, so that the caption stays below.
sunder.insert = function (figure, ...elements) {
  figure.querySelector("script").before(...elements);
};

// A labelled list; onchange receives the number of the chosen option.
sunder.choice = function (label, options, chosen, onchange) {
  const select = sunder.element("select", {
    onchange: (event) => onchange(Number(event.target.value)),
  });
  options.forEach(([value, text]) => select.append(sunder.element("option", { value, text })));
  select.value = chosen;
  return sunder.element("label", { class: "choice" }, label + " ", select);
};

// Returns a colour of the current style sheet (light, dark or print).
sunder.colour = function (name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
};
