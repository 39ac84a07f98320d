// Text as large as its place allows, whatever the font: for the few figures that are the page.

/** Also when the place was hidden while the text changed, or the screen was turned. */
const places = new ResizeObserver((changes) => {
  for (const { target } of changes) fit(target.firstElementChild);
});

/** Let an element's text fill its parent's width, up to the size its style gives it.
 *
 * Elements of one kind inside `data-alike` are all as large as the one with least room. */
export function fit(element) {
  places.observe(element.parentElement);
  const { part } = element.dataset;
  const alike = element.closest("[data-alike]")?.querySelectorAll(`[data-part=${part}]`) ?? [element];
  for (const each of alike) each.style.fontSize = "";
  const sizes = Array.from(alike, fitting);
  const least = Math.min(...sizes);
  for (const each of alike) if (least < sizeOf(each)) each.style.fontSize = `${least}px`;
}

const sizeOf = (element) => parseFloat(getComputedStyle(element).fontSize);

function fitting(element) {
  const { width } = element.getBoundingClientRect();
  const room = element.parentElement.clientWidth;
  return width > room && room > 0 ? Math.floor((sizeOf(element) * room) / width) : sizeOf(element);
}
