// The little that is needed to put words into a page. Nothing is written that is there already.

export function find(name, within = document) {
  return within.querySelector(`[data-part="${name}"]`);
}

export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function show(element, isShown) {
  if (element.hidden === isShown) element.hidden = !isShown;
}

export function make(tag, className = "", text = "", children = []) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text) element.textContent = text;
  element.append(...children);
  return element;
}

export function button(className, text, onClick, children = []) {
  const made = make("button", className, text, children);
  made.type = "button";
  made.addEventListener("click", onClick);
  return made;
}

/** A key of the keyboard that presses it, shown on it: function keys only, for cards are letters and digits. */
export function withKey(element, key) {
  element.dataset.key = key;
  element.setAttribute("aria-keyshortcuts", key);
  element.append(make("kbd", "", key));
  return element;
}

/** One child for each item, made once and then only filled again: a redraw never takes the focus away. */
export function fill(parent, items, makeOne, fillOne) {
  while (parent.children.length > items.length) parent.lastElementChild.remove();
  while (parent.children.length < items.length) parent.append(makeOne());
  items.forEach((item, index) => fillOne(parent.children[index], item));
}

export function sentences(parent, items) {
  fill(parent, items, () => make("li"), (line, text) => write(line, text));
}
