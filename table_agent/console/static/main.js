// The screen itself: everything of the state that is not a seat or a sheet.

import { button, fill, find, make, sentences, show, withKey, write } from "./dom.js";
import { clock } from "./more.js";

const LOOKS = { operating: "working", queued: "impaired", closed: "failing" };
const PAYS = { "pay-now": "working", held: "impaired", "not-recorded": "failing", nothing: "unknown" };
const NOW = {
  closed: "The table is closed.",
  betting: "Take the Jackpot wagers. Touch a seat to change it.",
  registering: "WAIT: not recorded. Deal no card.",
  playing: "Recorded: deal. Touch a seat that won.",
};
const KEPT_OUT = "Kept out: nothing is recorded here. Go on at the other tablet.";
const LONG_SENTENCE = 90;
/** More declared hands than this are changed by touching their seats. */
const WITH_FOLD_MAX = 2;

export function drawHead(state) {
  write(find("table"), `Table ${state.table}`);
  write(find("game"), state.game_title ?? "");
  look(find("status"), LOOKS[state.status.kind]);
  write(find("status-sentence"), state.status.sentence);
  find("status").classList.toggle("long", state.status.sentence.length > LONG_SENTENCE);
  const { person } = state;
  write(find("person"), person ? `${person.name} \u00B7 ${person.role}` : "Sign on");
  find("person").classList.toggle("main", !person);
  show(find("training"), state.training === true);
}

export function drawMiddle(state) {
  const { meter } = state;
  write(find("meter"), meter?.shown ?? "No jackpot");
  write(find("royal"), meter ? `Royal flush pays ${meter.royal_pays}` : "");
  write(find("cost"), state.cost ? `Jackpot wager ${state.cost}` : "");
  const left = state.hands_left === null ? "" : ` Closing: ${state.hands_left} more hands.`;
  const isClosed = state.step === "betting" && !state.register.open;
  const isKeptOut = state.link.kept_out;
  write(find("now"), isKeptOut ? KEPT_OUT : (isClosed ? "Take no Jackpot wagers." : NOW[state.step]) + left);
  find("now").className = `now ${isKeptOut ? "registering" : state.step}`;
  show(find("without"), state.may_play_without_jackpot);
}

export function drawRegister(state) {
  const { register, step } = state;
  const pressed = find("register");
  changing(pressed, `${step === "betting" && register.may}`);
  write(find("register-label"), step === "betting" || step === "closed" ? register.label : "Registered");
  pressed.disabled = step !== "betting" || !register.may;
  sentences(find("chips"), step === "betting" && register.may ? register.chips : []);
  const isSaid = state.status.sentence.includes(register.why_not);
  write(find("why-not"), step === "betting" && !isSaid ? register.why_not : "");
}

export function drawRecord(state, onFold) {
  const isPlaying = state.step === "playing" && !state.link.kept_out;
  const { outcome } = state;
  const hands = isPlaying ? outcome.hands : [];
  const pressed = find("record");
  const needsHold = isPlaying && outcome.takes_the_meter;
  changing(pressed, `${isPlaying} ${hands.length > 0} ${needsHold}`);
  pressed.disabled = !isPlaying || outcome.wrong !== null;
  pressed.dataset.hold = String(needsHold);
  write(find("record-label"), label(hands.length, needsHold));
  write(find("fall"), isPlaying ? [outcome.despite, outcome.fall].filter(Boolean).join(" ") : "");
  write(find("wrong"), isPlaying ? wrong(outcome) : "");
  const isImpossible = isPlaying && (outcome.wrong !== null || (outcome.cautions ?? []).includes("check-the-deck"));
  show(find("ways-out"), isImpossible);
  show(find("clear"), !isImpossible && (hands.length > 0 || (isPlaying && (outcome.shared_cards !== "" || outcome.despite !== null))));
  drawHands(hands, state, onFold);
}

function label(count, needsHold) {
  if (needsHold) return "Hold to record";
  return count > 0 ? "Record" : "No winners";
}

function wrong(outcome) {
  if (outcome.wrong !== null) return outcome.wrong;
  return outcome.needs ? `${outcome.caution_sentence} A ${outcome.needs} must confirm.` : "";
}

function drawHands(hands, state, onFold) {
  const isFew = hands.length <= WITH_FOLD_MAX;
  find("hands").classList.toggle("many", !isFew);
  const makeOne = () => make("li", "", "", [make("span"), button("quiet fold", "", (event) => onFold(Number(event.currentTarget.value)))]);
  fill(find("hands"), hands, makeOne, (item, report) => {
    const read = state.outcome.read.find((one) => one.seat === report.seat);
    const [text, fold] = item.children;
    const title = read?.title ?? (report.hand ?? report.cards).replaceAll("-", " ");
    write(text, report.folded ? `Seat ${report.seat}: folded, no jackpot` : `Seat ${report.seat}: ${title}${isFew && read?.bonus ? ` ${read.bonus}` : ""}`);
    fold.value = String(report.seat);
    show(fold, isFew);
    write(fold, report.folded ? `It made its ${state.continue_bet}` : "Folded?");
    fold.setAttribute("aria-label", report.folded ? `Seat ${report.seat} made its ${state.continue_bet}` : `Seat ${report.seat} folded`);
  });
}

export function drawWords(state, declined) {
  const isBetween = state.round === null;
  const refusal = [declined, state.refusal].filter(Boolean);
  sentences(find("refusals"), refusal);
  const pay = isBetween ? state.pay : [];
  find("pay").classList.toggle("many", pay.length > 2);
  fill(find("pay"), pay, () => make("li", "", "", [make("span", "icon"), make("span")]), (line, one) => {
    look(line, PAYS[one.what]);
    write(line.lastChild, one.sentence);
  });
  sentences(find("said"), refusal.length + pay.length > 0 || find("wrong").textContent ? [] : state.said);
  const isSilent = refusal.length + pay.length + state.said.length === 0;
  write(find("nothing"), isSilent && isBetween && state.last_round?.ended === "settled" ? "Last round: no winners. Nothing to pay." : "");
  fit(find("words"));
}

/** Many sentences are written smaller: none is cut off. */
function fit(words) {
  words.classList.remove("tight");
  if (words.scrollHeight > words.clientHeight) words.classList.add("tight");
}

/** The keys after those of the seats. */
const FIRST_RANK_KEY = 10;

export function drawRanks(state, onCall) {
  const makeOne = () => withKey(button("rank", "", (event) => onCall(event.currentTarget.value), [make("span")]), "");
  fill(find("ranks"), state.ranks, makeOne, (pressed, rank) => {
    const [text, key] = pressed.children;
    const word = rank.called ? "Called:" : "Call";
    pressed.value = rank.key;
    pressed.disabled = rank.called;
    pressed.classList.toggle("needed", rank.must_come && !rank.called);
    write(text, `${word} ${rank.title.replace("TG ", "")}`);
    const shown = `F${FIRST_RANK_KEY + state.ranks.indexOf(rank)}`;
    write(key, shown);
    pressed.dataset.key = shown;
    pressed.setAttribute("aria-keyshortcuts", shown);
    pressed.setAttribute("aria-label", `${word} ${rank.title}`);
  });
}

export function drawNotices(state, nowMs, { why, hasCome }) {
  fill(find("notices"), state.notices, () => make("li"), (line, notice) => write(line, `${notice.sentence} ${due(notice.ready_at, nowMs)}`.trim()));
  fill(find("calls"), state.calls, () => make("li", "", "", [make("span"), ofCall("Why?", why), ofCall("Has come", hasCome)]), (line, call) => {
    write(line.firstChild, called(call, nowMs));
    for (const pressed of line.querySelectorAll("button")) pressed.value = String(call.call);
  });
}

function ofCall(text, does) {
  return button("quiet", text, (event) => does(Number(event.currentTarget.value)));
}

function called(call, nowMs) {
  const since = `${call.rank_title} called: ${call.reason}, ${rest(nowMs - Date.parse(call.called_at))} ago`;
  return call.coming ? `${since}. ${call.coming} is coming.` : since;
}

function due(readyAt, nowMs) {
  if (readyAt === null) return "";
  const at = Date.parse(readyAt);
  return at > nowMs ? `From ${clock(at)}, in ${rest(at - nowMs)}.` : `Due since ${clock(at)}.`;
}

function rest(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function look(element, name) {
  for (const one of ["working", "impaired", "failing", "unknown"]) element.classList.toggle(one, one === name);
}

/** When a main button last became another one: a finger that was on its way meant the old one. */
function changing(element, meaning) {
  if (element.dataset.meaning === meaning) return;
  element.dataset.meaning = meaning;
  element.dataset.changed = String(performance.now());
}
