import type { TokenKind } from '../../../language/tokens.ts';
import { actionOf } from '../actions.ts';
import { isOtherThing } from '../concepts.ts';
import { readEntries } from '../tables.ts';
import { splitWords } from '../tool-document.ts';
import type { ArgumentKind, ArgumentProfile } from './argument-profile.ts';
import {
  type Candidate,
  type CandidateReader,
  type Found,
  type MessageValues,
  overlaps,
  type Span,
  SURE,
} from './candidate.ts';
import { escapePattern, labelsOf, nearLabel } from './near-label.ts';

/** How well the form of a value fits an argument of a kind, without any word beside it. */
const SHAPES: Partial<Record<ArgumentKind, Partial<Record<TokenKind | 'quoted' | 'name' | 'number', number>>>> = {
  email: { email: SURE.shaped, name: 0.3 },
  url: { url: SURE.shaped, host: 0.6, quoted: 0.3 },
  path: { path: SURE.shaped, quoted: 0.5, code: 0.3 },
  host: { host: SURE.shaped, ip: SURE.shaped, url: SURE.linked, quoted: 0.4, code: 0.2 },
  id: { uuid: 0.7, code: 0.6, host: 0.4, ip: 0.4, quoted: 0.5, number: 0.4, name: 0.2 },
  text: { quoted: SURE.likely, name: 0.45, code: 0.4, path: 0.35, host: 0.3 },
  query: { quoted: 0.7 },
};
/** A title is seldom only the name in it: "lunch with Sofia". */
const PHRASE = /^(?:title|content|text|message|body|note|task|item|product|event)$/;
/** Texts, ids and addresses: by the words beside them, by the link that suits them, or by their form. */
export const readTexts: CandidateReader = (profile, values, options) => {
  const isFolder = profile.kind === 'path' && profile.words.some((word) => /^(?:folder|directory|dir)$/.test(word));
  const isPlain = profile.kind === 'text' || isFolder;
  return [
    ...readAssigned(profile, values.text),
    ...readSpans(profile, values),
    ...readKinds(profile, values, options.context.about ?? []),
    ...(isPlain ? readLinked(profile, values, options) : []),
  ];
};

/** A value in the form of a call: `product=lamp`. */
function readAssigned({ words }: ArgumentProfile, text: string): Candidate[] {
  const name = words.map(escapePattern).join('[ _-]?');
  const found = new RegExp(String.raw`(?<![\w-])${name}=("[^"]+"|\S+)`, 'i').exec(text);
  const value = found?.[1]?.replaceAll('"', '');
  return found && value ? [{ value, at: found.index, length: found[0].length, score: 1 }] : [];
}

/** Quoted texts, tokens, names and numbers. */
function readSpans(profile: ArgumentProfile, values: MessageValues): Candidate[] {
  const { kind, words, meaning } = profile;
  const shapes = SHAPES[kind] ?? SHAPES.text ?? {};
  const labels = labelsOf(profile, values.text);
  const isPhrase = kind === 'text' && words.some((word) => PHRASE.test(word));
  const shy = isPhrase ? 0.2 : 1;
  const named = shapes.name ?? 0;
  const numbers = values.numbers
    .filter(({ isWord }) => !isWord)
    .map(({ at, length }) => ({ at, length, value: values.text.slice(at, at + length) }));
  const score = (part: Found, shape: number): Candidate => {
    const near = nearLabel(labels, values.text, part);
    const beside = near === 0 ? 0 : near + shape / 20;
    const { value, at, length } = part;
    return { value, at, length, score: Math.max(shape, beside) };
  };
  const found = [
    ...values.quoted.map((part) => score(part, shapes.quoted ?? 0)),
    ...values.tokens.map((part) => {
      const shape = shapes[part.kind] ?? 0;
      return score(part, part.kind === 'code' ? Math.min(shape, shy) : shape);
    }),
    ...values.names.map((part) => score(part, Math.min(named, shy))),
    ...numbers.map((part) => score(part, shapes.number ?? 0)),
  ];
  return /\bdigits\b/.test(meaning) ? found.filter(({ value }) => /\d/.test(String(value))) : found;
}

/** Things of a known kind: rooms for `room`, "thai" for `cuisine`. */
function readKinds(profile: ArgumentProfile, { text }: MessageValues, about: readonly string[]): Candidate[] {
  const { words, kind, meaning } = profile;
  if (kind !== 'text') return [];
  const labels = labelsOf(profile, text);
  const named = /\b(\w+?)s? (?:of|in|where)\b/.exec(meaning)?.[1] ?? '';
  return readEntries('kinds', [...words, named]).flatMap((example) => {
    const flags = example.length < 3 ? '' : 'i';
    const match = new RegExp(String.raw`(?<![\w'.])${escapePattern(example)}(?![\w'])`, flags).exec(text);
    if (!match) return [];
    const span = { at: match.index, length: match[0].length };
    if (isPartOfOther(span, text, about)) return [];
    return [{ value: match[0], ...span, score: Math.max(SURE.described + 0.06, nearLabel(labels, text, span)) }];
  });
}

const PLACED = /\b(?:in|at|over|across|from|under|onto|around)\s+(?:(?:the|my|our)\s+)?$/i;

/** "the garage door" is no garage to a tool that knows no doors; what is "under the garage door" is in the garage. */
function isPartOfOther({ at, length }: Span, text: string, about: readonly string[]): boolean {
  const next = /^\s+([a-z]{3,})/.exec(text.slice(at + length))?.[1] ?? '';
  return isOtherThing(next, about) && actionOf(next) === undefined && !PLACED.test(text.slice(0, at));
}

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
const readLinked: CandidateReader = (profile, values, { context, all }) => {
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
