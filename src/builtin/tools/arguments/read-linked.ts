import { actionOf } from '../actions.ts';
import { remarksOf } from '../statement.ts';
import { isOtherKind, readEntries } from '../tables.ts';
import { splitWords } from '../tool-document.ts';
import type { ArgumentProfile } from './argument-profile.ts';
import { type Candidate, type CandidateReader, type Found, type MessageValues, overlaps, SURE } from './candidate.ts';

const LINK =
  'because of|because|against|versus|reading|due to|close to|next to|beside|that says|that|saying|regarding|playing|about|from|off|into|onto|to|for|with|at|in|on|of|by|near|as|than|under|until|before|after|via|using|between|and|but|so|or|which|who|where|if|when|while|unless|is|are|was|were|it|please|pls|plz';
const CHUNK = new RegExp(
  String.raw`(?<![\w'’-])(${LINK})\s+(?:(?:the|an?|my|our|your|his|her|their|some|this)\s+)*(?=(\S.*?)(?:\s+(?:${LINK})\b|[,;:.!?)](?=\s|$)|\n|$))`,
  'gi',
);
const TAIL =
  /(?:\s+(?:please|pls|plz|now|again|today|tomorrow|tonight|thanks|thx|lol|omg|asap|right away|rn|too|also|instead|it|him|her|them))+$/i;
const NO_VALUE =
  /^(?:me|us|you|it|him|her|them|that|this|there|here|myself|ourselves|one|something|anything|some|all|everything|now|later|please|pls|plz|\d.*|(?:in|at|on|for|with|from|by|of)\s.*)$/i;
const ACTING =
  /^(?:go|come|be|listen|watch|see|find|get|know|look|(?:go|do|look|try|hav|gett|be|watch|listen|think)ing)$/;
const ORDER_STEP = 0.02;
const REACH = 30;

/** The score of a value that stands right after a link or a verb of its argument's role: "to Ann", "call Ann". */
export function linkScore({ words }: ArgumentProfile, text: string, { at }: Found): number {
  const before = text.slice(Math.max(0, at - REACH), at);
  if (words.some((word) => PERSON.test(word)) && TOLD.test(before)) return SURE.linked;
  const lead = ` ${before
    .toLowerCase()
    .replace(/(?:\s+(?:my|our|the))?\s+$/, '')
    .replace(/:$/, '')}`;
  const place = /\s$/.test(before) ? readEntries('links', words).findIndex((link) => lead.endsWith(` ${link}`)) : -1;
  return [SURE.linked, SURE.linked - ORDER_STEP, SURE.likely][Math.min(2, place)] ?? 0;
}

/** Plain words after a link that suits the argument: "2 pad thai from mai mai", "timer for the eggs". */
export const readLinked: CandidateReader = (profile, values, { context, all }) => {
  const links = readEntries('links', profile.words);
  if (links.length === 0) return [];
  const sure = profile.isRequired ? SURE.likely - 0.02 : SURE.described + 0.04;
  return chunksOf(values).flatMap(({ link, value: words, at }) => {
    const place = links.indexOf(link);
    const value = withoutOwn(words, profile);
    const low = value.toLowerCase();
    const isOwn = context.about?.includes(low) || all.some((other) => other !== profile && other.words.includes(low));
    // "a lamp for the bedroom": a purpose is the value only where it may be such a thing.
    const isPurpose = link === 'for' && isOtherKind(low, profile.words);
    if (place < 0 || value === '' || isOwn || isPurpose || isActing(low)) return [];
    // A name in its role is surer than one without.
    const bonus = profile.isRequired && values.names.some((name) => name.at === at && name.value === value) ? 0.08 : 0;
    // "#design" for a channel; the description says whether the sign is kept.
    const name = /\bwith(?: the)? #/.test(profile.meaning) ? value : value.replace(/^#(?=\p{L})/u, '');
    return [{ value: name, at, length: value.length, score: sure + bonus - place * ORDER_STEP }];
  });
};

interface Chunk extends Found {
  link: string;
}

/** The words after each link, up to the next one, a time or a quoted text. */
function chunksOf({ text, moments, quoted }: MessageValues): Chunk[] {
  return [...text.matchAll(CHUNK)].flatMap((match) => {
    const at = match.index + match[0].length;
    const words = match[2] ?? '';
    const next = moments.find((moment) => moment.at >= at && moment.at < at + words.length);
    const whole = next ? words.slice(0, next.at - at) : words;
    const value = whole
      .trim()
      .replace(TAIL, '')
      .replace(/["'”]$/, '');
    const isOther = [...moments, ...quoted].some((other) => overlaps(other, { at, length: value.length }));
    return value === '' || NO_VALUE.test(value) || isOther
      ? []
      : [{ link: (match[1] ?? '').toLowerCase(), value, at, length: value.length }];
  });
}

/** "in going to the cinema" names nothing. */
function isActing(low: string): boolean {
  const [first = '', ...others] = splitWords(low);
  return ACTING.test(first) || (actionOf(first) !== undefined && others.length > 0);
}

/** "at the Westend branch" is the branch Westend. */
function withoutOwn(value: string, { labels, meaning }: ArgumentProfile): string {
  const last = /\s(\S+)$/.exec(value)?.[1]?.toLowerCase() ?? '';
  return labels.includes(last) && !meaning.includes(`which ${last}`) ? value.slice(0, -last.length).trim() : value;
}

const PERSON =
  /^(?:reviewer|assignee|owner|person|agent|recipient|receiver|contact|colleague|user|member|who|whom|to|payee)$/;
const TOLD =
  /\b(?:tell|pay|notify|send|give|call|ring|phone|invite|ask|wire|forward|email|text|message)\s+(?:(?:my|our|the)\s+)?$/i;
const WORD = String.raw`(?!(?:one|two|three|four|five|six|seven|eight|nine|ten|need|is|are|of)\b)[\p{L}\d][\p{L}\d_./'’-]*`;
const SUBJECT = new RegExp(
  String.raw`^(?:(?:the|my|our|his|her|their|that)\s+)?(?!(?:i|we|he|she|it|they|you|there|this|that|actually|no|someone|somebody|nobody|everyone|everybody|all|what|who)\b)(${WORD}(?:\s${WORD}){0,2}?)\s+(?:(?:on|in|at|from|for)\s+\S+(?:\s\S+)?\s+)?(?:just\s+|really\s+|still\s+|suddenly\s+)?(?:is|are|was|were|has|have|had|isn't|aren't|won't|can't|doesn't|didn't|keeps?|came|went|died|looks?|seems?|feels?|gets?|got|need|needs|wants?|says?|runs?|will|should|must|[a-z]{2,}[^s\W]s(?=\s+(?:on|in|at|again|up|out|off|down|back|all|us|me|every|like|too|to|when|since|and)\b)|[a-z]{3,}ed)\b`,
  'iu',
);
/** Words of arguments that take what is said, not what it is said of. */
const SPOKEN = /^(?:text|message|content|body|note|comment|summary|description|reason|query|subject|room|zone)$/;
const JUST_LIKELY = SURE.likely + 0.02;

/**
 * "checkout hangs on staging, bounce it": the order is about the thing that the remark before it speaks of. Without a
 * subject of its own, the remark's only name is that thing: "I'm not through with Middlemarch, let me keep it".
 */
export function readSubject({ words, isRequired }: ArgumentProfile, { text, names }: MessageValues): Candidate[] {
  const [remark] = isRequired && !words.some((word) => SPOKEN.test(word)) ? remarksOf(text) : [];
  if (remark === undefined) return [];
  const value = SUBJECT.exec(remark)?.[1];
  if (value !== undefined) return [{ value, at: text.indexOf(value), length: value.length, score: JUST_LIKELY }];
  const end = text.indexOf(remark) + remark.length;
  const [only, ...others] = names.filter(({ at }) => at < end);
  const isMeant = only && others.length === 0 && /\b(?:it|them|this|that|these|those)\b/i.test(text.slice(end));
  return isMeant ? [{ ...only, score: JUST_LIKELY }] : [];
}
