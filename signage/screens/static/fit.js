// Text as large as its place allows, whatever the font and however long the words.

/** Smaller than this nobody could read it, and it may as well stand over the edge. */
const LEAST_SCALE = 0.35;
/** Halvings of the range: the last one is a hundredth, which nobody sees. */
const TRIES = 6;

const boxesOf = new WeakMap();
const shapes = new WeakMap();

/** Also when the place was hidden while the text changed, or the screen was turned. */
const widths = new ResizeObserver((changes) => {
  for (const { target } of changes) fit(target.firstElementChild);
});
const sizes = new ResizeObserver((changes) => {
  for (const { target } of changes) scale(target);
});

/** Let an element's text fill its parent's width, up to the size its style gives it.
 *
 * Elements of one kind inside `data-alike` are all as large as the one with least room. */
export function fit(element) {
  widths.observe(element.parentElement);
  const { part } = element.dataset;
  const alike = element.closest("[data-alike]")?.querySelectorAll(`[data-part=${part}]`) ?? [element];
  for (const each of alike) each.style.fontSize = "";
  const least = Math.min(...Array.from(alike, fitting));
  for (const each of alike) if (least < sizeOf(each)) each.style.fontSize = `${least}px`;
}

/**
 * Let everything in a place be as large as its style gives it, or smaller where a box would overflow.
 *
 * Styles in the place multiply their sizes by `--scale`; the most that the place may take must not
 * depend on it. A figure in it, marked `data-fit`, fits its line as well.
 * @param {() => Iterable<Element>} boxes what must not overflow
 */
export function fitAll(place, boxes = () => [place]) {
  boxesOf.set(place, boxes);
  sizes.observe(place);
  const shape = shapeOf(place);
  if (shape === shapes.get(place)) return;
  shapes.set(place, shape);
  scale(place);
}

function scale(place) {
  const fits = (share) => {
    place.style.setProperty("--scale", share);
    const figure = place.querySelector("[data-fit]");
    if (figure !== null) fit(figure);
    return [...boxesOf.get(place)()].every(isInside);
  };
  if (fits(1)) return;
  let [small, large] = [LEAST_SCALE, 1];
  for (let tried = 0; tried < TRIES; tried += 1) {
    const middle = (small + large) / 2;
    if (fits(middle)) small = middle;
    else large = middle;
  }
  fits(small);
}

/** Digits are all as wide as each other: a place where only they change keeps its shape. */
function shapeOf(place) {
  const shown = place.querySelectorAll(":not([hidden], [hidden] *)");
  const ends = Array.from(shown).filter((element) => element.childElementCount === 0);
  return ends.map((element) => element.textContent.replace(/\d/g, "0")).join("\n");
}

const isInside = (box) => box.scrollHeight <= box.clientHeight && box.scrollWidth <= box.clientWidth;

const sizeOf = (element) => parseFloat(getComputedStyle(element).fontSize);

function fitting(element) {
  const { width } = element.getBoundingClientRect();
  const room = element.parentElement.clientWidth;
  return width > room && room > 0 ? Math.floor((sizeOf(element) * room) / width) : sizeOf(element);
}
