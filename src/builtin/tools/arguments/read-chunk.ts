import { actionOf } from '../actions.ts';
import { splitWords } from '../tool-document.ts';
import type { ArgumentProfile } from './argument-profile.ts';
import { type Candidate, type CandidateReader, SURE } from './candidate.ts';
import { linksOf } from './roles.ts';
import { type MessageValues, overlaps } from './values/message-values.ts';

/** A link with the words after it: "from" and "Mai Mai". */
interface Chunk {
  link: string;
  value: string;
  at: number;
}

const LINK =
  'because of|because|against|versus|reading|due to|close to|next to|beside|that says|that|saying|regarding|playing|about|from|into|onto|to|for|with|at|in|on|of|by|near|as|than|under|until|before|after|via|using|between|and|but|so|or|which|who|where|if|when|while|unless|is|are|was|were|it|please|pls|plz';
const CHUNK = new RegExp(
  String.raw`(?<![\w'’-])(${LINK})\s+(?:(?:the|an?|my|our|your|his|her|their|some|this)\s+)*(?=(\S.*?)(?:\s+(?:${LINK})\b|[,;:.!?)](?=\s|$)|\n|$))`,
  'gi',
);
const TAIL =
  /\s+(?:please|pls|plz|now|again|today|tomorrow|tonight|thanks|thx|lol|omg|asap|right away|rn|too|also|instead|it|him|her|them)$/i;
const NO_VALUE =
  /^(?:me|us|you|it|him|her|them|that|this|there|here|myself|ourselves|one|something|anything|some|all|everything|now|later|\d.*)$/i;
const ORDER_STEP = 0.02;

/** Plain words after a link that suits the argument: "2 pad thai from mai mai", "timer for the eggs". */
export const readChunks: CandidateReader = (profile, values, { context, all }) => {
  const links = linksOf(profile);
  const asked = readAsked(profile, values);
  if (links.length === 0) return asked;
  const linked = chunksOf(values).flatMap(({ link, value: words, at }) => {
    const place = links.indexOf(link);
    const value = withoutOwn(words, profile);
    const low = value.toLowerCase();
    const isOwn = context.about?.includes(low) || all.some((other) => other !== profile && other.words.includes(low));
    if (place < 0 || value === '' || isOwn || isActing(low)) return [];
    // A name in its role is surer than one without.
    const bonus = profile.isRequired && values.names.some((name) => name.at === at && name.value === value) ? 0.08 : 0;
    return [{ value, at, length: value.length, score: scoreOf(profile) + bonus - place * ORDER_STEP }];
  });
  return links[0] === 'to' ? [...asked, ...linked, ...readReceiver(values)] : [...asked, ...linked];
};

/** "in going to the cinema" names nothing. */
function isActing(low: string): boolean {
  const [first = '', ...others] = splitWords(low);
  return actionOf(first) !== undefined
    ? others.length > 0 || /^(?:listen|watch|see|find|get|know|look)$/.test(first)
    : /^(?:go|come|be|going|doing|looking|trying|having|getting|being|watching|listening|thinking)$/.test(first);
}

/** "at the Westend branch" is the branch Westend. */
function withoutOwn(value: string, { labels, meaning }: ArgumentProfile): string {
  const last = /\s(\S+)$/.exec(value)?.[1]?.toLowerCase() ?? '';
  const isOwn = labels.includes(last) && !meaning.includes(`which ${last}`);
  return isOwn ? value.slice(0, -last.length).trim() : value;
}

const ASKED =
  /\b(?:ask|tell|invite|have|let|get)\s+([\w'-]+)\s+(?:to|for|look|check|review|handle|take|deal|see|go)\b/i;
/** A capital makes the name: without the flag that takes small letters for capitals. */
const OBLIGED = /\b(\p{Lu}[\p{L}'-]*)\s+(?:should|must|can|could|has to|needs to)\s/u;

/** "ask mkowalski to review it", "have Priya look over 482", "Marek should take a look". */
function readAsked({ words }: ArgumentProfile, { text }: MessageValues): Candidate[] {
  const isPerson = words.some((word) =>
    /^(?:reviewer|assignee|owner|person|agent|recipient|contact|colleague|user|member|who|to)$/.test(word),
  );
  const match = isPerson ? (ASKED.exec(text) ?? OBLIGED.exec(text)) : null;
  const value = match?.[1];
  if (!match || value === undefined || NO_VALUE.test(value) || /^(?:I|We|You|He|She|They|Who|What)$/.test(value))
    return [];
  return [{ value, at: text.indexOf(value, match.index), length: value.length, score: SURE.described }];
}

const RECEIVER =
  /\b(?:send|give|pay|wire|lend|tip|text|tell|message|email|call|ring|phone|show)\s+(?:(?:the|my|our)\s+([a-z]+(?:\s[a-z]+)?)|([A-Z][\w'-]*))(?=\s+(?:[\d$€£"'“]|an?\b|the\b|that\b|some\b|my\b))/;

/** "send the gardener 85.50", "text Ann that I am late". */
function readReceiver({ text }: MessageValues): Candidate[] {
  const match = RECEIVER.exec(text.replace(/^\p{Lu}/u, (first) => first.toLowerCase()));
  const value = match?.[1] ?? match?.[2];
  if (!match || value === undefined) return [];
  const at = match.index + match[0].lastIndexOf(value);
  return [{ value: text.slice(at, at + value.length), at, length: value.length, score: SURE.described }];
}

function scoreOf({ isRequired }: ArgumentProfile): number {
  return isRequired ? SURE.likely - 0.02 : SURE.described + 0.04;
}

function chunksOf(values: MessageValues): Chunk[] {
  return [...values.text.matchAll(CHUNK)].flatMap((match) => {
    const at = match.index + match[0].length;
    const value = trimTail(beforeMoment(match[2] ?? '', at, values));
    // "come to in yen": a link of its own begins the next part.
    if (/^(?:in|at|on|for|with|from|by|of)\s/i.test(value)) return [];
    return value === '' || NO_VALUE.test(value) || isOtherValue(value, at, values)
      ? []
      : [{ link: (match[1] ?? '').toLowerCase(), value, at }];
  });
}

/** "for lunch tomorrow" ends before the day. */
function beforeMoment(value: string, at: number, { moments }: MessageValues): string {
  const next = moments.find((moment) => moment.at >= at && moment.at < at + value.length);
  return next ? value.slice(0, next.at - at) : value;
}

function trimTail(value: string): string {
  let rest = value.trim();
  while (TAIL.test(rest)) rest = rest.replace(TAIL, '');
  return /^(?:please|pls|plz)$/i.test(rest) ? '' : rest.replace(/["'”]$/, '');
}

/** A time or a quoted text is read by its own form. */
function isOtherValue(value: string, at: number, { moments, quoted }: MessageValues): boolean {
  const part = { at, length: value.length } satisfies Pick<Candidate, 'at' | 'length'>;
  return [...moments, ...quoted].some((other) => overlaps(other, part));
}
