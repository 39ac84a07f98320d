// The page's own language: sentences with places to fill in, written into the page by the gateway.

const words = JSON.parse(document.getElementById("words").textContent);
const { lang } = document.documentElement;
/** Dates as Australians write them; the other languages have one way each. */
const locale = lang === "en" ? "en-AU" : lang;
const timeZone = document.documentElement.dataset.timeZone || undefined;

/** `say("table", {name: "T7"})` → `Table T7` */
export function say(key, values = {}) {
  return words[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

export function knows(key) {
  return key in words;
}

const hours = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone };
const clock = new Intl.DateTimeFormat(locale, { ...hours, second: "2-digit" });
const minute = new Intl.DateTimeFormat(locale, hours);
const day = new Intl.DateTimeFormat(locale, { weekday: "short", day: "numeric", month: "short", timeZone });
const date = new Intl.DateTimeFormat("sv", { timeZone });

export const clockTime = (ms) => clock.format(ms);
export const dayOf = (ms) => day.format(ms);

/** The time alone today, with the day on any other. */
export function timeOf(ms, nowMs) {
  return date.format(ms) === date.format(nowMs) ? minute.format(ms) : `${day.format(ms)}, ${minute.format(ms)}`;
}

/** How long something is ago or ahead: `4 s`, `12:05`, `3:00:00`. */
export function duration(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (n) => String(n).padStart(2, "0");
  if (h > 0) return `${h}:${two(m)}:${two(s)}`;
  return m > 0 ? `${m}:${two(s)}` : say("seconds", { n: s });
}
