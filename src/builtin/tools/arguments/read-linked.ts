import { actionOf } from '../actions.ts';
import { readEntries } from '../tables.ts';
import { splitWords } from '../tool-document.ts';
import type { ArgumentProfile } from './argument-profile.ts';
import { type CandidateReader, type Found, type MessageValues, overlaps, SURE } from './candidate.ts';

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
    if (place < 0 || value === '' || isOwn || isActing(low)) return [];
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
