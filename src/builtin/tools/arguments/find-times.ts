import { findMoments, type Moment } from '../../../language/moments.ts';
import { readTime } from '../../../language/time-of-day.ts';
import { today, type Zone } from '../../../language/zoned-time.ts';

const HOUR = String.raw`(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)`;
const PART = String.raw`(?:\s+(?:in the (?:morning|afternoon|evening)|at night|this (?:morning|afternoon|evening)|tonight))`;
/** Times that are spoken: "quarter to 7", "four in the afternoon", "nine o'clock", "at 9". */
const SPOKEN = new RegExp(
  String.raw`\b(?:(?:half|quarter|\d{1,2}(?: minutes?)?) (?:past|to) ${HOUR}|half ${HOUR}(?!\s+(?:hours?|minutes?|days?|price|kilos?))|${HOUR}\s*o['’]? ?clock|${HOUR}(?=${PART}))${PART}?\b|(?<=\b(?:at|after|before|by|until|till|from|around|than)\s)${HOUR}(?=$|[,.!?;]|\s+(?:on|for|to|and|in|at|please|pls|tomorrow|today|tonight|sharp)\b)(?!\s+(?:for|in|to)\s+\S+\s*$)`,
  'gi',
);
const MORNING = /\b(?:wake|alarm|breakfast|morning|sunrise)\b/i;
const NOON = 12;
const FEASTS: readonly [RegExp, string][] = [
  [/\bchristmas eve\b/gi, '12-24'],
  [
    /\b(?:christmas|xmas)(?: day)?\b(?! (?:eve|party|dinner|card|tree|market|present|gift|donation|shopping|list))/gi,
    '12-25',
  ],
  [/\bboxing day\b/gi, '12-26'],
  [/\bnew year['’]?s eve\b/gi, '12-31'],
  [/\bnew year['’]?s day\b/gi, '01-01'],
  [/\bvalentine['’]?s(?: day)?\b/gi, '02-14'],
  [/\bhalloween\b/gi, '10-31'],
];

/** The days and times of a text; besides those of the calendar, spoken times and days with a name. */
export function findTimes(text: string, zone: Zone): Moment[] {
  const found = findMoments(text, zone)
    .filter((moment) => !isDuration(moment, text) && !isRate(moment, text))
    .map((moment) => earlyTime(moment, text));
  const more = [...findFeasts(text, zone), ...findSpoken(text)];
  const apart = more.filter((one) => !found.some((other) => isInside(one, other)));
  const kept = found.filter((one) => !apart.some((other) => isInside(one, other)));
  return [...kept, ...apart].sort((a, b) => a.at - b.at);
}

/** "log 30 minutes of swimming": a length of time is no moment; "in 30 minutes" is one. */
function isDuration({ at, length }: Moment, text: string): boolean {
  return (
    DURATION.test(text.slice(at, at + length)) &&
    !/\b(?:in|within|after)\s+$/i.test(text.slice(0, at)) &&
    !/^\s+(?:from now|later|ago|time)\b/i.test(text.slice(at + length))
  );
}

/** "120 a night" is no twenty past one. */
function isRate({ at, length }: Moment, text: string): boolean {
  return /\d\s+a$/i.test(text.slice(at, at + length)) && /^\s+(?:night|day|week|month|year|person|head|piece|kilo|litre)\b/i.test(text.slice(at + length));
}

const DURATION =
  /^(?:for\s+)?(?:\d+(?:\.\d+)?|an?|half an?|one|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty)\s*-?(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|h|days?|nights?|weeks?|months?|years?)$/i;

/** An alarm at "quarter to 7" rings in the morning. */
function earlyTime(moment: Moment, text: string): Moment {
  const words = text.slice(moment.at, moment.at + moment.length);
  const isPlain = /^(?:at\s+)?(?:half|quarter|\d{1,2}$)/i.test(words) && !/[ap]\.?m\b/i.test(words);
  return isPlain && moment.time !== undefined && MORNING.test(text)
    ? { ...moment, time: toMorning(moment.time) }
    : moment;
}

function toMorning(time: string): string {
  const hour = Number(time.slice(0, 2));
  return hour > NOON ? `${String(hour - NOON).padStart(2, '0')}${time.slice(2)}` : time;
}

function isInside(a: Moment, b: Moment): boolean {
  return a.at < b.at + b.length && b.at < a.at + a.length && b.length >= a.length;
}

function findSpoken(text: string): Moment[] {
  return [...text.matchAll(SPOKEN)].flatMap((match) => {
    const isNight = /evening|afternoon|night|tonight/i.test(match[0]);
    const time = readTime(match[0]);
    if (time === undefined) return [];
    const isEarly = !isNight && MORNING.test(text);
    return [{ at: match.index, length: match[0].length, time: isEarly ? toMorning(time) : time }];
  });
}

function findFeasts(text: string, zone: Zone): Moment[] {
  const now = today(zone);
  return FEASTS.flatMap(([name, day]) =>
    [...text.matchAll(name)].map((match) => {
      const year = Number(now.slice(0, 4)) + (`${now.slice(0, 4)}-${day}` < now ? 1 : 0);
      return { at: match.index, length: match[0].length, day: `${year}-${day}` };
    }),
  );
}
