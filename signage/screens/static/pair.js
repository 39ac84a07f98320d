// A screen that nobody has paired yet: its code, for a manager to read.

import { find, show, write } from "./dom.js";
import { follow } from "./role.js";
import { Stream } from "./stream.js";
import { say } from "./words.js";

const LOOK_MS = 250;

const stream = new Stream(document.body.dataset.stream, {
  frame: () => true,
  screen(said) {
    write(find("code"), said.code ?? "");
    follow(said);
  },
});

setInterval(() => {
  stream.check();
  // The gateway forgets the code of a screen that has gone: what it may not know is not shown.
  show(find("code"), stream.isLive);
  write(find("what-to-do"), say(stream.isLive ? "pair_what_to_do" : "pair_connecting"));
}, LOOK_MS);
