import { findDay } from '../../../language/day-rules.ts';
import { findMoments, type Moment } from '../../../language/moments.ts';
import { readTime } from '../../../language/time-of-day.ts';
import { today, type Zone } from '../../../language/zoned-time.ts';
import { overlaps, type Span } from './candidate.ts';

/** The days and times of a text: those of the calendar, spoken times, and a day such as "the 27th" where it has no other. */
export function findTimes(text: string, zone: Zone): Moment[] {
  const calendar = findMoments(text, zone).filter((one) => isMoment(one, text));
  const spoken = findSpoken(text).filter(
    (one) => !calendar.some((other) => overlaps(other, one) && other.length >= one.length),
  );
  const found = [...calendar.filter((one) => !spoken.some((other) => overlaps(other, one))), ...spoken];
  const named = found.some(({ day }) => day !== undefined) ? undefined : findDay(text, today(zone));
  const span = named && { at: named.start, length: named.end - named.start };
  const isNew = span && isMoment(span, text) && !found.some((other) => overlaps(other, span));
  return [...found, ...(isNew ? [{ ...span, day: named.day }] : [])].sort((a, b) => a.at - b.at);
}

const HOUR = String.raw`(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)`;
const PART = String.raw`(?:\s+(?:in the (?:morning|afternoon|evening)|at night|this (?:morning|afternoon|evening)|tonight))`;
/** Times that are spoken: "quarter to 7", "four in the afternoon", "nine o'clock", "at 9". */
const SPOKEN = new RegExp(
  String.raw`\b(?:(?:half|quarter|\d{1,2}(?: minutes?)?) (?:past|to) ${HOUR}|half ${HOUR}(?!\s+(?:hours?|minutes?|days?|price|kilos?))|${HOUR}\s*o['’]? ?clock|${HOUR}(?=${PART}))${PART}?\b|(?<=\b(?:at|after|before|by|until|till|from|around|than)\s)${HOUR}(?=$|[,!?;]|\.(?!\d)|\s+(?:on|for|to|and|in|at|please|pls|tomorrow|today|tonight|sharp)\b)(?!\s+(?:for|in|to)\s+\S+\s*$)`,
  'gi',
);

function findSpoken(text: string): Moment[] {
  return [...text.matchAll(SPOKEN)].flatMap((match) => {
    const time = readTime(match[0]);
    return time === undefined ? [] : [{ at: match.index, length: match[0].length, time }];
  });
}

const DURATION =
  /^(?:for\s+)?(?:\d+(?:\.\d+)?|an?|(?:a )?half(?: an?)?|one|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty)\s*-?(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|h|days?|nights?|weeks?|months?|years?)$/i;

/** "log 30 minutes" names a length, "120 a night" a rate, "the sun" a star; none of them is a moment. */
function isMoment({ at, length }: Span, text: string): boolean {
  const [before, words, after] = [text.slice(0, at), text.slice(at, at + length), text.slice(at + length)];
  const isLength = DURATION.test(words) && !/\b(?:in|within|after)\s+$/i.test(before);
  if (isLength && !/^\s+(?:from now|later|ago|time)\b/i.test(after)) return false;
  if (/^(?:sun|sat|mon|wed|may|march)$/.test(words) && /\b(?:the|he|she|they|i|we|you|it)\s+$/i.test(before))
    return false;
  return (
    !/\bthe (?:minute|moment)$|\b\d\.\d$|^\d+\s+an?(?:\s+(?:night|day|week|month|year))?$/i.test(words) &&
    !/^\.\d(?!\d)/.test(after)
  );
}
