/** Loaded before a server: its wall clock is moved by the milliseconds in CLOCK_FILE. The monotonic clock is not. */
import { readFileSync } from 'node:fs';

const LOOK_MS = 50;
const file = process.env.CLOCK_FILE;
const RealDate = Date;
let offsetMs = 0;

class MovedDate extends RealDate {
  constructor(...values) {
    if (values.length === 0) super(RealDate.now() + offsetMs);
    else super(...values);
  }

  static now() {
    return RealDate.now() + offsetMs;
  }
}

const look = () => {
  try {
    offsetMs = Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    offsetMs = 0;
  }
};
if (file) {
  globalThis.Date = MovedDate;
  look();
  setInterval(look, LOOK_MS).unref();
}
