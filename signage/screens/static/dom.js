// The little that is needed to put words into a page. Nothing is written that is there already, so a
// page that is told the same every second for years makes no work for the browser.

export function find(name, within = document) {
  return within.querySelector(`[data-part="${name}"]`);
}

export function write(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

export function show(element, isShown) {
  if (element.hidden === isShown) {
    element.hidden = !isShown;
  }
}

export function state(element, name) {
  for (const one of ["working", "impaired", "failing"]) {
    element.classList.toggle(one, one === name);
  }
}

export function make(tag, className = "", text = "") {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
}

/** One child for each item, made once and then only filled again. */
export function fill(parent, items, makeOne, fillOne) {
  while (parent.children.length > items.length) {
    parent.lastElementChild.remove();
  }
  while (parent.children.length < items.length) {
    parent.append(makeOne());
  }
  items.forEach((item, index) => fillOne(parent.children[index], item, index));
}
