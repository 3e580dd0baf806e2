import { findDay } from '../../../language/day-rules.ts';
import { findMoments, type Moment } from '../../../language/moments.ts';
import { readTime } from '../../../language/time-of-day.ts';
import { today, type Zone } from '../../../language/zoned-time.ts';
import { overlaps, type Span } from './candidate.ts';

const NOON = 12;
const NEARLY_A_YEAR = 270;
const MORNING = /\b(?:wake|alarm|breakfast|morning|sunrise)\b/i;
const NIGHT = /[ap]\.?m\b|evening|afternoon|night|:/i;
const PAST =
  /\b(?:since|spent|sold|sales|bought|wrote|written|sent|received|paid|was|were|did|happened|taken|took|made|went|logged|history|report|statement|transactions?|payslip|earned|moved|ended|started|born)\b/i;

/** The days and times of a text: those of the calendar, spoken times, and days with a name. */
export function findTimes(text: string, zone: Zone): Moment[] {
  const calendar = findMoments(text, zone).filter((one) => isMoment(one, text));
  const days = findDays(text, calendar, zone);
  const found = [...days, ...calendar.filter((one) => !days.some((other) => overlaps(other, one)))];
  const spoken = findSpoken(text).filter((one) => !found.some((other) => contains(other, one)));
  const kept = found.filter((one) => !spoken.some((other) => overlaps(other, one)));
  return [...kept, ...spoken].map((moment) => pastDay(earlyTime(moment, text), text, zone)).sort((a, b) => a.at - b.at);
}

function contains(outer: Span, inner: Span): boolean {
  return overlaps(outer, inner) && outer.length >= inner.length;
}

const ORDINAL =
  /\b(?:on|by|until|till|since|before|after|from|to|for|back)\s+(?:on\s+)?(?=the (\d{1,2})(?:st|nd|rd|th)(?=$|[,.!?;]|\s+(?:at|from|to|until|till|and|for|with|please|pls|in the (?:morning|afternoon|evening))\b))/gi;

/** Days that the calendar does not know: both ends of a span, "back on the 7th", "New Year's Eve", "a week from today". */
function findDays(text: string, calendar: readonly Moment[], zone: Zone): Moment[] {
  const spans = findSpans(text, zone);
  const ordinals = [...text.matchAll(ORDINAL)].flatMap((match) => {
    const at = match.index + match[0].length;
    // The next such day after the one said before it.
    const before = calendar.findLast((other) => other.at < at && other.day !== undefined)?.day;
    const day = findDay(`the ${match[1]}th`, before ?? today(zone));
    const isOther = [...spans, ...calendar].some((other) => contains(other, { at, length: 3 }));
    return day && !isOther ? [{ at, length: `the ${match[1]}th`.length, day: day.day }] : [];
  });
  const named = spans.length + ordinals.length > 0 ? undefined : findDay(text, today(zone));
  const span = named && { at: named.start, length: named.end - named.start };
  const isWhole = calendar.every((other) => other.day === undefined || (span && contains(span, other)));
  return span && isWhole && isMoment(span, text) && !/^\d/.test(text.slice(span.at))
    ? [{ ...span, day: named.day }]
    : [...spans, ...ordinals];
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
  if (/\b\d\.\d$/.test(words) || /^\.\d(?!\d)/.test(after)) return false;
  return !/^\d+\s+an?(?:\s+(?:night|day|week|month|year))?$/i.test(words);
}

/** "spent since the 9th": the calendar reads days without a year as days to come. */
function pastDay(moment: Moment, text: string, zone: Zone): Moment {
  const words = text.slice(moment.at, moment.at + moment.length);
  const before = text.slice(0, moment.at);
  if (moment.day === undefined || !PAST.test(text) || /\d{4}|next|in \d/.test(words)) return moment;
  const isOrdinal = /^(?:on |since |after )?(?:the )?\d{1,2}(?:st|nd|rd|th)$/i.test(words);
  if (isOrdinal && moment.day > today(zone) && !/\b(?:until|till|by|for|before|to)\s+$/i.test(before))
    return { ...moment, day: shiftMonth(moment.day, -1) };
  const ahead = (Date.parse(moment.day) - Date.parse(today(zone))) / 86_400_000;
  return ahead < NEARLY_A_YEAR
    ? moment
    : { ...moment, day: `${Number(moment.day.slice(0, 4)) - 1}${moment.day.slice(4)}` };
}

function shiftMonth(day: string, count: number): string {
  const date = new Date(`${day.slice(0, 8)}01`);
  date.setUTCMonth(date.getUTCMonth() + count);
  return `${date.toISOString().slice(0, 8)}${day.slice(8)}`;
}

const OF_MONTH =
  /\b(?:from |between )?(?:the )?(\d{1,2})(?:st|nd|rd|th)?\s*(?:to|until|till|and|-)\s*(?=(?:the )?(\d{1,2})(?:st|nd|rd|th)?(?: of)? (?:(this|last|next) month|(january|february|march|april|may|june|july|august|september|october|november|december))\b)/gi;
const MONTHS = 'january february march april may june july august september october november december'.split(' ');

/** "from the 7th to the 11th of December": the month is said once, for both days. */
function findSpans(text: string, zone: Zone): Moment[] {
  const now = today(zone);
  return [...text.matchAll(OF_MONTH)].flatMap((match) => {
    const end = /^.*?(?:month|[a-z]{3,})\b(?!\s+month)/i.exec(text.slice(match.index + match[0].length))?.[0] ?? '';
    const shift = { last: -1, this: 0, next: 1 }[String(match[3]).toLowerCase()];
    const named = MONTHS.indexOf(String(match[4]).toLowerCase());
    const ahead = shift ?? (named - Number(now.slice(5, 7)) + 1 + 12) % 12;
    const month = shiftMonth(`${now.slice(0, 8)}01`, ahead).slice(0, 8);
    const dayOf = (day: string | undefined) => `${month}${String(day).padStart(2, '0')}`;
    return [
      { at: match.index, length: match[0].length, day: dayOf(match[1]) },
      { at: match.index + match[0].length, length: end.length, day: dayOf(match[2]) },
    ];
  });
}

/** An alarm at "quarter to 7" rings in the morning. */
function earlyTime(moment: Moment, text: string): Moment {
  const isPlain = !NIGHT.test(text.slice(moment.at, moment.at + moment.length));
  if (moment.time === undefined || !isPlain || !MORNING.test(text)) return moment;
  const hour = Number(moment.time.slice(0, 2));
  return hour <= NOON ? moment : { ...moment, time: `${String(hour - NOON).padStart(2, '0')}${moment.time.slice(2)}` };
}
