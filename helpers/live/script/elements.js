// Makes the elements of the page.
// Gets a tag, its attributes and its children; knows nothing of attention.

function make(tag, attributes = {}, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

function makeSvg(tag, attributes = {}, ...children) {
  return furnish(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function furnish(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// Text that has not changed is left alone: a hover fills some hundred places, and most stay as they are.
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
