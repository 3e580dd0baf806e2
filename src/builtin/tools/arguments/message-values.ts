import { findMoments, type Moment } from '../../../language/moments.ts';
import { findPlaces, type Place } from '../../../language/places.ts';
import { findQuantities, type Quantity } from '../../../language/quantities.ts';
import { findTokens, type Token } from '../../../language/tokens.ts';
import type { Zone } from '../../../language/zoned-time.ts';

/** A place of a message with its value. */
export interface Found<T = string> {
  value: T;
  at: number;
  length: number;
}

/** The values in a message, by their kind. A number inside quoted text, a date or a code is none of its own. */
export interface MessageValues {
  text: string;
  quoted: Found[];
  tokens: Token[];
  moments: Moment[];
  places: Place[];
  numbers: Quantity[];
  names: Found[];
}

const QUOTED = /"([^"]+)"|`([^`]+)`|(?<=^|[\s(:,=[])'([^']+(?:'(?:s|t|re|ll|ve|d)\b[^']*)*)'(?=$|[\s.,!?;:)\]])/g;
const WORD = String.raw`(?:(?:[A-Z]\.)+|\p{Lu}[\p{L}\d_&'’-]*|(?:St|Dr|Mr|Mrs|Ms|Mt|Ft)\.)`;
const STREET = String.raw`\d+(?= (?:[A-Z][a-z]+ )+(?:St|Street|Ave|Avenue|Rd|Road|Blvd|Lane|Ln|Drive|Dr|Way|Park|Apartments|Court|Ct)\b)`;
const NAME = new RegExp(
  String.raw`(?<![\p{L}\d_'@-])(?:${STREET}|${WORD})(?:(?:\s+(?:of|the|de|la|and|&|of the)\s+|,\s+|\s+)(?=[\p{Lu}\d])(?:${WORD}|\d+(?=\s|$|[,.?!])))*`,
  'gu',
);
const NOT_A_NAME =
  /^(?:I|I'm|I'd|I've|I'll|What|What's|Which|Who|Who's|How|How's|When|Where|Why|Can|Could|Would|Will|Please|Find|Get|Show|Tell|Give|Is|Are|Do|Does|The|A|An|My|Our|Your|His|Her|Their|This|That|These|It|It's|We|You|Calculate|Create|Add|Set|Search|Book|Play|Send|Delete|Remove|Update|Make|Check|Look|Help|Let|Let's|If|In|On|At|For|From|With|Also|And|Or|But|So|Hey|Hi|Hello|Compute|Determine|Convert|List|Retrieve|Fetch|Order|Buy|Change|Use|Using|Provide|Start|Stop|Turn|Open|Close|Lock|Unlock|Write|Read|Run|Put|Need|Want|Return|Returns|Generate|Configure|Register|Rename|Move|Copy|Translate|Attend|Reserve|Schedule|Pull|Bring|Display|Recommend|Suggest|Today|Tomorrow|Tonight|Yesterday|Yes|No|Not|OK|Okay|Thanks|Now|Then|There|Are|Was|Were|Has|Have|Had|Maybe|Just|Some|Any|All|Both|Each|Ratings|Help|Address|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|June|July|August|September|October|November|December|AM|PM|ID|IDs|UUID|API|URL|IP|CIK|SSL|OK)$/;

/** Reads every value of a message once. */
export function readMessageValues(text: string, zone: Zone): MessageValues {
  const quoted = [...text.matchAll(QUOTED)].map((match) => ({
    value: match[1] ?? match[2] ?? match[3] ?? '',
    at: match.index,
    length: match[0].length,
  }));
  const open = quoted.reduce((rest, part) => blank(rest, part), text);
  const tokens = findTokens(open);
  const moments = readMoments(
    tokens.reduce((rest, part) => (part.kind === 'code' ? rest : blank(rest, part)), open),
    zone,
  );
  const outside = (part: { at: number; length: number }) =>
    ![...quoted, ...tokens, ...moments].some((one) => overlaps(one, part));
  return {
    text,
    quoted,
    tokens: tokens.filter((token) => !moments.some((moment) => overlaps(moment, token))),
    moments,
    places: findPlaces(open),
    numbers: [
      ...numbersOf(tokens),
      ...findQuantities(open).filter(
        (number) =>
          outside(number) || (TIME_UNIT.test(number.unit) && !tokens.some((token) => overlaps(token, number))),
      ),
    ],
    names: [...open.matchAll(NAME)]
      .flatMap((match) => readName(match, open))
      .filter((name) => !moments.some((moment) => overlaps(moment, name))),
  };
}

/** Messages without digits and time words are not searched for moments. */
function readMoments(text: string, zone: Zone): Moment[] {
  const hasTime =
    /\d|\b(?:today|tomorrow|tonight|yesterday|noon|midnight|midday|morning|evening|afternoon|week|weekend|month|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;
  return hasTime.test(text) ? findMoments(text, zone) : [];
}

/** "#88" is a number where one is asked for. */
function numbersOf(tokens: readonly Token[]): Quantity[] {
  return tokens
    .filter(({ value }) => /^#\d+$/.test(value))
    .map(({ value, at, length }) => ({ value: Number(value.slice(1)), at, length, unit: '', isWord: false }));
}

function blank(text: string, { at, length }: { at: number; length: number }): string {
  return text.slice(0, at) + '·'.repeat(length) + text.slice(at + length);
}

export function overlaps(a: { at: number; length: number }, b: { at: number; length: number }): boolean {
  return a.at < b.at + b.length && b.at < a.at + a.length;
}

/** A capitalized name without the first words of the sentence. */
/** "Ann's profile" speaks of Ann, "at Luigi's" of Luigi's. */
function trimName(value: string, text: string, at: number): string {
  const plain = value.replace(/[.,:;!?-]*$/, '');
  const isOwner =
    /^\s+[a-z]/.test(text.slice(at + plain.length)) &&
    !/\b(?:at|from|to|near|called|named|by)\s+$/i.test(text.slice(0, at));
  return isOwner ? plain.replace(/['’]s$/, '') : plain;
}

const TIME_UNIT = /^(?:second|sec|minute|min|hour|hr|day|night|week|month|year|decade)$/;

function readName(match: RegExpExecArray, text: string): Found[] {
  let at = match.index;
  let value = match[0];
  for (;;) {
    const first = /^\S+/.exec(value)?.[0] ?? '';
    if (!NOT_A_NAME.test(first.replace(/[,.!?]$/, ''))) break;
    const gap = /^\S+\s*/.exec(value)?.[0].length ?? value.length;
    at += gap;
    value = value.slice(gap);
    if (value === '') return [];
  }
  const clean = trimName(value.replace(/(?:\s+and)?\s+I$/, ''), text, at);
  // The first word of a sentence is capitalized anyway.
  const isFirst =
    /(?:^|[.!?:]\s+)$/.test(text.slice(0, at)) &&
    !/[\s,]/.test(clean) &&
    /^[A-Z][a-z]+$/.test(clean) &&
    !/^(?:['’]s|\s+[A-Z])/.test(text.slice(at + clean.length));
  return clean === '' || isFirst ? [] : [{ value: clean, at, length: clean.length }];
}
