// A promotional board: one meter or several, side by side or in turn.

import { Celebration } from "./celebration.js";
import { fill, find, make, show, write } from "./dom.js";
import { fitAll } from "./fit.js";
import { fillHits } from "./hits.js";
import { amount, amountOfCents, microsOfCents } from "./money.js";
import { Odometer } from "./odometer.js";
import { isInSight } from "./report.js";
import { run } from "./screen.js";
import { now } from "./time.js";
import { say } from "./words.js";

const TURN_MS = 12_000;
const AT_ONCE_MAX = 6;
const HITS = 3;

const atOnce = "rotate" in document.body.dataset ? 1 : AT_ONCE_MAX;
const odometers = new WeakMap();
const celebration = new Celebration(find("celebration"));

/** The meters whose turn it is. More than fit are shown page by page. */
function inTurn(meters) {
  const pages = Math.max(1, Math.ceil(meters.length / atOnce));
  const page = Math.floor(now() / TURN_MS) % pages;
  return { pages, page, shown: meters.slice(page * atOnce, (page + 1) * atOnce) };
}

function drawMeters(floor) {
  const { pages, page, shown } = inTurn(floor.meters);
  const place = find("meters");
  place.dataset.count = shown.length;
  fill(place, shown, makeCard, drawCard);
  fill(find("pages"), pages > 1 ? Array(pages).fill() : [], () => make("li"), (dot, _, index) => {
    dot.className = index === page ? "page on" : "page";
  });
  fitAll(place, () => place.children);
}

function makeCard() {
  const card = document.importNode(document.getElementById("meter").content, true).firstElementChild;
  odometers.set(card, new Odometer(find("figure", card)));
  return card;
}

function drawCard(card, meter) {
  const part = (name) => find(name, card);
  const odometer = odometers.get(card);
  // A card that another meter has taken over must not climb from the one before.
  if (card.dataset.meter !== meter.meter) odometer.clear();
  card.dataset.meter = meter.meter;
  write(part("name"), meter.meter);
  const isOpen = meter.state === "open";
  show(part("figure-area"), isOpen);
  if (isOpen) odometer.set(meter.value_micros, meter.epoch);
  else odometer.clear();
  show(part("closed"), !isOpen);
  show(part("terms"), isOpen);
  write(part("cost"), say("wager_cost", { cost: amountOfCents(meter.cost_cents) }));
  write(part("royal"), say("royal_pays", { amount: amount(meter.royal_pays_micros) }));
  write(part("seq"), say("seq", { seq: meter.seq }));
  show(part("card-training"), meter.training);
}

function draw(floor, nowMs) {
  drawMeters(floor);
  celebration.hear(floor.hits, nowMs);
}

function look(floor, nowMs) {
  drawMeters(floor);
  fillHits(find("hits"), floor.hits.slice(-HITS), nowMs);
  show(find("hits-area"), floor.hits.length > 0);
  celebration.check();
}

function see(floor) {
  const cards = [...find("meters").children].filter((card) => isInSight(find("figure", card)));
  return {
    meters: cards.map((card) => ({
      meter: card.dataset.meter,
      seq: floor.meters.find(({ meter }) => meter === card.dataset.meter).seq,
      value_micros: microsOfCents(odometers.get(card).shownCents),
    })),
    notices: [],
  };
}

run({ isSign: false, draw, look, see });
