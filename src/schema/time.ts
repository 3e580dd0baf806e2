import * as z from 'zod';

/** An instant as ISO 8601 text with a zone. */
export const Timestamp = z.iso.datetime({ offset: true });
export type Timestamp = z.infer<typeof Timestamp>;

const SLACK_MS = 5_000;

/** For instants from callers: "not in the future", with some tolerance for clocks that differ. */
export function pastTimestamp(now: () => number = Date.now) {
  return Timestamp.refine((text) => Date.parse(text) <= now() + SLACK_MS, 'must not be in the future');
}

export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
