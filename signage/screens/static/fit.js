// Text as large as its place allows, whatever the font: for the few figures that are the page.

/** Also when the place was hidden while the text changed, or the screen was turned. */
const places = new ResizeObserver((changes) => {
  for (const { target } of changes) fit(target.firstElementChild);
});

/** Let an element's text fill its parent's width, up to the size its style gives it. */
export function fit(element) {
  const place = element.parentElement;
  places.observe(place);
  element.style.fontSize = "";
  const width = element.getBoundingClientRect().width;
  if (width > place.clientWidth && place.clientWidth > 0) {
    const size = parseFloat(getComputedStyle(element).fontSize);
    element.style.fontSize = `${Math.floor((size * place.clientWidth) / width)}px`;
  }
}
