import type { TokenKind } from '../../../language/tokens.ts';
import { actionOf } from '../actions.ts';
import { isOtherThing } from '../concepts.ts';
import { readEntries } from '../tables.ts';
import type { ArgumentKind, ArgumentProfile } from './argument-profile.ts';
import { type Candidate, type CandidateReader, type Found, type MessageValues, type Span, SURE } from './candidate.ts';
import { escapePattern, labelsOf, nearLabel } from './near-label.ts';
import { readLinked } from './read-linked.ts';

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
