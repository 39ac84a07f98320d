// Notices of changes at a table, with the clock time of the change and what is left until then.

import { fill, find, make, write } from "./dom.js";
import { amountOfCents } from "./money.js";
import { duration, knows, say, timeOf } from "./words.js";

export function fillNotices(list, notices, nowMs) {
  fill(list, notices, makeNotice, (item, notice) => {
    item.dataset.notice = notice.notice;
    write(find("notice-text", item), text(notice));
    write(find("notice-time", item), time(notice, nowMs));
  });
}

function text(notice) {
  const key = `notice_${notice.kind}`;
  const { to, option, minimum_cents, maximum_cents, cost_cents } = notice;
  const [minimum, maximum, cost] = [minimum_cents, maximum_cents, cost_cents].map(amountOfCents);
  return say(knows(key) ? key : "notice_change", { to, option, minimum, maximum, cost });
}

function time(notice, nowMs) {
  if (notice.due === null) return say("notice_unconfirmed");
  const due = Date.parse(notice.due);
  if (due <= nowMs) return say("notice_due");
  return say("notice_from", { time: timeOf(due, nowMs), left: duration(due - nowMs) });
}

function makeNotice() {
  const item = make("li", "notice");
  for (const part of ["notice-text", "notice-time"]) {
    const line = make("p", part === "notice-time" ? "notice-time money" : part);
    line.dataset.part = part;
    item.append(line);
  }
  return item;
}
