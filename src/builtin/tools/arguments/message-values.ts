import { findDay } from '../../../language/day-rules.ts';
import { findMoments, type Moment } from '../../../language/moments.ts';
import { findPlaces } from '../../../language/places.ts';
import { findQuantities } from '../../../language/quantities.ts';
import { readTime } from '../../../language/time-of-day.ts';
import { findTokens } from '../../../language/tokens.ts';
import { today, type Zone } from '../../../language/zoned-time.ts';
import { type Found, type MessageValues, overlaps, type Span } from './candidate.ts';

const WORD = String.raw`(?:(?:[A-Z]\.)+|\p{Lu}[\p{L}\d_&'’-]*|(?:St|Dr|Mr|Mrs|Ms|Mt|Ft)\.)`;
const STREET = String.raw`\d+(?= (?:[A-Z][a-z]+ )+(?:St|Street|Ave|Avenue|Rd|Road|Blvd|Lane|Ln|Drive|Dr|Way|Park|Apartments|Court|Ct)\b)`;
const NAME = new RegExp(
  String.raw`(?<![\p{L}\d_'@-])(?:${STREET}|${WORD})(?:(?:\s+(?:of|the|de|la|and|&|of the)\s+|,\s+|\s+)(?=[\p{Lu}\d])(?:${WORD}|\d+(?=\s|$|[,.?!](?!\d))))*`,
  'gu',
);
const NOT_A_NAME =
  /^(?:I|I'm|I'd|I've|I'll|What|What's|Which|Who|Who's|How|How's|When|Where|Why|Can|Could|Would|Will|Please|Find|Get|Show|Tell|Give|Is|Are|Do|Does|The|A|An|My|Our|Your|His|Her|Their|This|That|These|It|It's|We|You|Calculate|Create|Add|Set|Search|Book|Play|Send|Delete|Remove|Update|Make|Check|Look|Help|Let|Let's|If|In|On|At|For|From|With|Also|And|Or|But|So|Hey|Hi|Hello|Compute|Determine|Convert|List|Retrieve|Fetch|Order|Buy|Change|Use|Using|Provide|Start|Stop|Turn|Open|Close|Lock|Unlock|Write|Read|Run|Put|Need|Want|Return|Returns|Generate|Configure|Register|Rename|Move|Copy|Translate|Attend|Reserve|Schedule|Pull|Bring|Display|Recommend|Suggest|Today|Tomorrow|Tonight|Yesterday|Yes|No|Not|OK|Okay|Thanks|Now|Then|There|Are|Was|Were|Has|Have|Had|Maybe|Just|Some|Any|All|Both|Each|Ratings|Help|Address|Include|Including|Ring|Call|Text|Tell|Enter|Note|Warm|Heat|Pause|Skip|Cancel|Block|Report|Kindly|Be|Do|Pay|Transfer|Email|Remind|Wake|Keep|Share|Upload|Download|Increase|Decrease|Raise|Lower|Extend|Renew|Tip|Track|Log|Record|Save|Assign|Invite|Ask|Switch|Mute|Dim|Split|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|June|July|August|September|October|November|December|AM|PM|ID|IDs|UUID|API|URL|IP|CIK|SSL|OK)$/;

/** The capitalized names of a text. */
function findNames(text: string): Found[] {
  return [...text.matchAll(NAME)].flatMap((match) => readName(match, text));
}

/** A capitalized name without the first words of the sentence. */
function readName(match: RegExpExecArray, text: string): Found[] {
  let at = match.index;
  let value = match[0];
  for (;;) {
    const first = /^\S+/.exec(value)?.[0] ?? '';
    const word = first.replace(/[,.!?]$/, '');
    const isBeginning = /(?:^|[.!?:,;"]\s*)$/.test(text.slice(0, at)) || at > match.index;
    if (!NOT_A_NAME.test(word) || (!isBeginning && /\bthe\s+$/i.test(text.slice(0, at)) && /\s\p{Lu}/u.test(value)))
      break;
    const gap = /^\S+\s*/.exec(value)?.[0].length ?? value.length;
    at += gap;
    value = value.slice(gap);
    if (value === '') return [];
  }
  const clean = trimName(value.replace(/(?:\s+and)?\s+I(?:['’](?:m|ve|d|ll))?$/, ''), text, at);
  // The first word of a sentence is capitalized anyway.
  const isFirst =
    /(?:^|[.!?:]\s+)$/.test(text.slice(0, at)) &&
    !/[\s,]/.test(clean) &&
    /^[A-Z][a-z]+$/.test(clean) &&
    !/^(?:['’]s|\s+[A-Z])/.test(text.slice(at + clean.length));
  return !/\p{L}/u.test(clean) || isFirst ? [] : [{ value: clean, at, length: clean.length }];
}

/** "Ann's profile" speaks of Ann, "at Luigi's" of Luigi's. */
function trimName(value: string, text: string, at: number): string {
  const plain = value.replace(/[.,:;!?-]*$/, '').replace(/\s+of\s+\d{4}$/, '');
  const isOwner =
    /^\s+[a-z]/.test(text.slice(at + plain.length)) &&
    !/\b(?:at|from|to|near|called|named|by)\s+$/i.test(text.slice(0, at));
  return isOwner ? plain.replace(/['’]s$/, '') : plain;
}

/** The days and times of a text: those of the calendar, spoken times, and a day such as "the 27th" where it has no other. */
function findTimes(text: string, zone: Zone): Moment[] {
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

const QUOTED = /"([^"]+)"|`([^`]+)`|(?<=^|[\s(:,=[])'([^']+(?:'(?:s|t|re|ll|ve|d)\b[^']*)*)'(?=$|[\s.,!?;:)\]])/g;
/** Reads every value of a message once. */
export function readMessageValues(text: string, zone: Zone): MessageValues {
  const quoted = [...text.matchAll(QUOTED)].map((match) => ({
    value: match[1] ?? match[2] ?? match[3] ?? '',
    at: match.index,
    length: match[0].length,
  }));
  const open = quoted.reduce((rest, part) => blank(rest, part), text);
  const tokens = findTokens(open);
  const plain = tokens.reduce((rest, part) => (part.kind === 'code' ? rest : blank(rest, part)), open);
  const moments = findTimes(plain, zone);
  const names = findNames(open).filter((name) => !moments.some((moment) => overlaps(moment, name)));
  const streets = names.filter(({ value }) => /^\d/.test(value));
  const outside = (part: Span) => ![...quoted, ...tokens, ...moments, ...streets].some((one) => overlaps(one, part));
  return {
    text,
    quoted,
    tokens: tokens.filter((token) => !moments.some((moment) => overlaps(moment, token))),
    moments,
    places: findPlaces(open),
    numbers: findQuantities(open).filter(
      (number) => outside(number) || (TIME_UNIT.test(number.unit) && !tokens.some((token) => overlaps(token, number))),
    ),
    names,
  };
}

function blank(text: string, { at, length }: Span): string {
  return text.slice(0, at) + '·'.repeat(length) + text.slice(at + length);
}

const TIME_UNIT = /^(?:second|sec|minute|min|hour|hr|day|night|week|month|year|decade)$/;
