// What every screen does: listen, draw, and look at the clock a few times a second.

import { find, show, write } from "./dom.js";
import { Floor } from "./floor.js";
import { Reporter } from "./report.js";
import { follow, isPaired } from "./role.js";
import { writeStanding } from "./status.js";
import { Stream } from "./stream.js";
import { now } from "./time.js";
import { clockTime, dayOf } from "./words.js";

const LOOK_MS = 250;

/**
 * @param {{isSign: boolean, draw: Function, look: Function, see: Function}} page
 *   `draw(floor, nowMs)` after each frame; `look(floor, nowMs)` also in between, for what changes with time
 *   alone; `see(floor)` tells what of it is on the screen
 */
export function run(page) {
  const floor = new Floor();
  const reporter = new Reporter(() => (floor.isStale ? null : page.see(floor)));
  const look = () => {
    writeStanding(floor, page.isSign);
    if (floor.isKnown) {
      const time = floor.clock.at(now());
      write(find("clock"), clockTime(time));
      write(find("day"), dayOf(time));
      page.look(floor, time);
      if (isPaired) reporter.look();
    }
  };
  const frame = (...event) => {
    const isUsed = floor.take(...event);
    if (floor.isKnown) {
      page.draw(floor, floor.clock.at(now()));
      document.body.dataset.order = floor.order;
      show(find("training"), floor.meters.some((meter) => meter.training));
    }
    look();
    return isUsed;
  };
  const stream = new Stream(document.body.dataset.stream, { frame, screen: follow });
  const lookAgain = () => {
    stream.check();
    look();
  };
  setInterval(lookAgain, LOOK_MS);
  document.addEventListener("visibilitychange", lookAgain);
}
