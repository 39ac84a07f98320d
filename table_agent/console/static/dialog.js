// One sheet over the table at a time. It closes when the table has moved on from where it was opened.

import { button, find, make, withKey } from "./dom.js";

const sheet = find("sheet");
let place = null;
let whenClosed = null;

export function openSheet(title, body, { at = null, onClose = null, close = "Back" } = {}) {
  const heading = make("h2", "", title);
  heading.id = "sheet-title";
  const foot = make("footer", "", "", [withKey(button("quiet", close, closeSheet), "Escape")]);
  sheet.replaceChildren(heading, body, foot);
  const before = whenClosed;
  place = at;
  whenClosed = onClose;
  before?.();
  if (!sheet.open) sheet.showModal();
  (sheet.querySelector("[autofocus]") ?? sheet.querySelector(".body button, .body [tabindex]"))?.focus();
}

export function closeSheet() {
  const before = whenClosed;
  whenClosed = null;
  place = null;
  sheet.close();
  sheet.replaceChildren();
  before?.();
}

export function isSheetOpen() {
  return sheet.open;
}

/** What was begun for another place is not meant here. */
export function closeUnlessAt(current) {
  if (sheet.open && place !== null && place !== current) closeSheet();
}

sheet.addEventListener("cancel", (event) => {
  event.preventDefault();
  closeSheet();
});

/** Choices in a grid, at most so many at once: nothing scrolls. */
export function choices(items, { columns = 3, each = 15, className = "" } = {}) {
  const body = make("div", `body choices columns-${columns} ${className}`.trim());
  const turn = (from) => {
    const rest = items.length > each;
    const shown = items.slice(from, from + (rest ? each - 1 : each));
    const buttons = shown.map(({ text, small, onClick }, index) => {
      const made = button("choice", "", onClick, [make("span", "", text)]);
      if (small) made.append(make("small", "", small));
      return index < 12 ? withKey(made, `F${index + 1}`) : made;
    });
    if (rest) {
      const next = from + each - 1 < items.length ? from + each - 1 : 0;
      buttons.push(button("choice quiet", next ? "More ..." : "The first ones ...", () => turn(next)));
    }
    body.replaceChildren(...buttons);
  };
  turn(0);
  return body;
}
