// Hold to confirm: with a finger, a mouse, or Enter or Space on the keyboard. Letting go before the end does nothing.

export const HOLD_MS = 1200;

export function holdToConfirm(element, isNeeded, onConfirm) {
  let timer = null;
  const stop = () => {
    clearTimeout(timer);
    timer = null;
    element.classList.remove("holding");
  };
  const start = () => {
    if (timer !== null || !isNeeded() || element.disabled) return;
    element.classList.add("holding");
    timer = setTimeout(() => {
      stop();
      onConfirm();
    }, HOLD_MS);
  };
  element.addEventListener("pointerdown", start);
  for (const end of ["pointerup", "pointerleave", "pointercancel", "blur", "keyup"]) element.addEventListener(end, stop);
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    if (isNeeded()) event.preventDefault();
    start();
  });
  element.addEventListener("contextmenu", (event) => event.preventDefault());
  return { start, stop };
}
