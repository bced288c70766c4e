"use strict";

// What the scripts of the page share. A kind of section registers a function that is given the
// section's figure and its data; text from outside goes into the page through textContent alone.
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

// Before the caption, so that it stays below what it explains.
sunder.insert = function (figure, ...elements) {
  figure.querySelector("script").before(...elements);
};

// A labelled list to choose from; onchange gets the number of the option.
sunder.choice = function (label, options, chosen, onchange) {
  const select = sunder.element("select", {
    onchange: (event) => onchange(Number(event.target.value)),
  });
  options.forEach(([value, text]) => select.append(sunder.element("option", { value, text })));
  select.value = chosen;
  return sunder.element("label", { class: "choice" }, label + " ", select);
};

// A colour of the style sheet, as it is now: light, dark or print.
sunder.colour = function (name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
};
