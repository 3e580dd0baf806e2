import { findMoments, type Moment } from '../../../../language/moments.ts';
import { readTime } from '../../../../language/time-of-day.ts';
import { addDays, today, type Zone } from '../../../../language/zoned-time.ts';

const HOUR = String.raw`(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)`;
const PART = String.raw`(?:\s+(?:in the (?:morning|afternoon|evening)|at night|this (?:morning|afternoon|evening)|tonight))`;
/** Times that are spoken: "quarter to 7", "four in the afternoon", "nine o'clock", "at 9". */
const SPOKEN = new RegExp(
  String.raw`\b(?:(?:half|quarter|\d{1,2}(?: minutes?)?) (?:past|to) ${HOUR}|half ${HOUR}(?!\s+(?:hours?|minutes?|days?|price|kilos?))|${HOUR}\s*o['’]? ?clock|${HOUR}(?=${PART}))${PART}?\b|(?<=\b(?:at|after|before|by|until|till|from|around|than)\s)${HOUR}(?=$|[,!?;]|\.(?!\d)|\s+(?:on|for|to|and|in|at|please|pls|tomorrow|today|tonight|sharp)\b)(?!\s+(?:for|in|to)\s+\S+\s*$)`,
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
    .map((moment) => pastDay(earlyTime(moment, text), text, zone));
  const more = [
    ...findFeasts(text, zone),
    ...findSpoken(text),
    ...findSpans(text, zone),
    ...findOrdinals(text, found, zone),
  ];
  // A day inside a span counts as a part of it: "the 7th to the 11th of December".
  const alone = found.filter((other) => !more.some((one) => isWithin(other, one)));
  const apart = more.filter((one) => !alone.some((other) => isInside(one, other)));
  const kept = found.filter((one) => !apart.some((other) => isInside(one, other) || isWithin(one, other)));
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
  // "the sun" is no Sunday, and "at 1.5 speed" no time.
  if (
    /^(?:sun|sat|mon|wed|may|march)$/.test(text.slice(at, at + length)) &&
    /\b(?:the|he|she|they|i|we|you|it)\s+$/i.test(text.slice(0, at))
  )
    return true;
  if (/\b\d\.\d$/.test(text.slice(at, at + length)) || /^\.\d(?!\d)/.test(text.slice(at + length))) return true;
  if (/^\d+\s+an?\s+(?:night|day|week|month|year)$/i.test(text.slice(at, at + length))) return true;
  return (
    /\d\s+a$/i.test(text.slice(at, at + length)) &&
    /^\s+(?:night|day|week|month|year|person|head|piece|kilo|litre)\b/i.test(text.slice(at + length))
  );
}

const DURATION =
  /^(?:for\s+)?(?:\d+(?:\.\d+)?|an?|(?:a )?half(?: an?)?|one|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty)\s*-?(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|h|days?|nights?|weeks?|months?|years?)$/i;

const PAST =
  /\b(?:since|spent|sold|sales|bought|wrote|written|sent|received|paid|was|were|did|happened|taken|took|made|went|logged|history|report|statement|transactions?|payslip|earned|planted|moved|ended|started|born)\b/i;
const NEARLY_A_YEAR = 270;

/** "spent from 1 to 15 November": the calendar reads days without a year as days to come. */
function pastDay(moment: Moment, text: string, zone: Zone): Moment {
  const words = text.slice(moment.at, moment.at + moment.length);
  if (moment.day === undefined || !PAST.test(text) || /\d{4}|next|in \d/.test(words)) return moment;
  const [, ordinal] = /^(?:on |since |after )?(?:the )?(\d{1,2})(?:st|nd|rd|th)$/i.exec(words) ?? [];
  if (ordinal && moment.day > today(zone)) return { ...moment, day: shiftMonth(moment.day, -1) };
  const ahead = (Date.parse(moment.day) - Date.parse(today(zone))) / 86_400_000;
  return ahead < NEARLY_A_YEAR
    ? moment
    : { ...moment, day: `${Number(moment.day.slice(0, 4)) - 1}${moment.day.slice(4)}` };
}

const ORDINAL_DAY =
  /\b(?:on|by|until|till|since|before|after|from|to|for|back)\s+(?:on\s+)?the (\d{1,2})(?:st|nd|rd|th)(?=$|[,.!?;]|\s+(?:at|from|to|until|till|and|for|with|please|pls|in the (?:morning|afternoon|evening))\b)/gi;

/** "back on the 7th": the next such day after the one said before it, or the last one where the text is about the past. */
function findOrdinals(text: string, found: readonly Moment[], zone: Zone): Moment[] {
  return [...text.matchAll(ORDINAL_DAY)].map((match) => {
    const before = found.findLast(({ at, day }) => at < match.index && day !== undefined)?.day;
    const from = before ?? today(zone);
    const isPast = before === undefined && PAST.test(text) && !/^(?:until|till|by|for|before|to)\b/i.test(match[0]);
    const same = `${from.slice(0, 8)}${String(match[1]).padStart(2, '0')}`;
    const isBefore = same < from;
    const day = isPast ? (same > from ? shiftMonth(same, -1) : same) : isBefore ? shiftMonth(same, 1) : same;
    const at = match.index + match[0].indexOf('the ');
    return { at, length: match.index + match[0].length - at, day };
  });
}

function shiftMonth(day: string, count: number): string {
  const date = new Date(`${day.slice(0, 8)}01`);
  date.setUTCMonth(date.getUTCMonth() + count);
  return `${date.toISOString().slice(0, 8)}${day.slice(8)}`;
}

const OF_MONTH =
  /\b(?:from |between )?(?:the )?(\d{1,2})(?:st|nd|rd|th)?\s*(?:to|until|till|and|-)\s*(?:the )?(\d{1,2})(?:st|nd|rd|th)?(?: of)? (?:(this|last|next) month|(january|february|march|april|may|june|july|august|september|october|november|december))\b/gi;
const FROM_DAY = /\b(an?|one|two|three|four|\d)\s+(day|week)s?\s+from\s+(today|tomorrow|now)\b/gi;

/** "from the 1st to the 10th of this month", "a week from today". */
function findSpans(text: string, zone: Zone): Moment[] {
  const now = today(zone);
  const months = [...text.matchAll(OF_MONTH)].flatMap((match) => {
    const month = match[4] === undefined ? monthFrom(match[3], now) : namedMonth(match[4], text, now);
    const dayOf = (day: string | undefined) => `${month}${String(day).padStart(2, '0')}`;
    const last = match.index + match[0].length - 1;
    return [
      { at: match.index, length: match[0].length - 1, day: dayOf(match[1]) },
      { at: last, length: 1, day: dayOf(match[2]) },
    ];
  });
  const later = [...text.matchAll(FROM_DAY)].map((match) => {
    const count =
      Number(match[1]) || Math.max(1, ['one', 'two', 'three', 'four'].indexOf(String(match[1]).toLowerCase()) + 1);
    const days = count * (/week/i.test(match[0]) ? 7 : 1) + (/tomorrow/i.test(match[0]) ? 1 : 0);
    return { at: match.index, length: match[0].length, day: addDays(now, days) };
  });
  return [...months, ...later];
}

/** The beginning of a date in "this", "last" or "next" month. */
function monthFrom(which: string | undefined, now: string): string {
  const shift = { last: -1, this: 0, next: 1 }[String(which).toLowerCase()] ?? 0;
  return new Date(Date.UTC(Number(now.slice(0, 4)), Number(now.slice(5, 7)) - 1 + shift, 1)).toISOString().slice(0, 8);
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ');

/** The next month of that name, or the last one where the text is about the past. */
function namedMonth(name: string, text: string, now: string): string {
  const month = String(MONTHS.indexOf(name.toLowerCase()) + 1).padStart(2, '0');
  const year = Number(now.slice(0, 4));
  const isBefore = month < now.slice(5, 7);
  const shift = PAST.test(text) ? (isBefore || month === now.slice(5, 7) ? 0 : -1) : isBefore ? 1 : 0;
  return `${year + shift}-${month}-`;
}

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

function isWithin(inner: Moment, outer: Moment): boolean {
  return inner.at >= outer.at && inner.at + inner.length <= outer.at + outer.length + 1 && inner.length < outer.length;
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
