import type { TokenKind } from '../../../language/tokens.ts';
import { readEntries } from '../tables.ts';
import type { ArgumentKind, ArgumentProfile } from './argument-profile.ts';
import { type Candidate, type CandidateReader, type Found, type MessageValues, SURE } from './candidate.ts';
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
const PERSON = /\b(?:person|recipient|who|contact|sender|assignee|friend|colleague)\b/;
const WHO =
  /^(?:pet|pupil|student|child|member|guest|customer|client|employee|driver|player|patient|agent|cow|animal)$/;

/** Texts, ids and addresses: by the words beside them, by the link that suits them, or by their form. */
export const readTexts: CandidateReader = (profile, values, options) => {
  const isFolder = profile.kind === 'path' && profile.words.some((word) => /^(?:folder|directory|dir)$/.test(word));
  const isPlain = profile.kind === 'text' || isFolder;
  return [
    ...readSpans(profile, values),
    ...readNamed(profile, values),
    ...readExamples(profile, values),
    ...(isPlain ? readLinked(profile, values, options) : []),
  ];
};

/** Quoted texts, tokens, names and numbers. */
function readSpans(profile: ArgumentProfile, values: MessageValues): Candidate[] {
  const { kind, words, meaning } = profile;
  const shapes = SHAPES[kind] ?? SHAPES.text ?? {};
  const labels = labelsOf(profile, values.text);
  const isPhrase = kind === 'text' && words.some((word) => PHRASE.test(word));
  const shy = isPhrase ? 0.2 : 1;
  const speech = PERSON.test(meaning) ? 0.15 : 0;
  const named = (shapes.name ?? 0) + (kind === 'text' && words.some((word) => WHO.test(word)) ? 0.05 : 0);
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
    ...values.quoted.map((part) => score(part, (shapes.quoted ?? 0) - speech)),
    ...values.tokens.map((part) => {
      const shape = shapes[part.kind] ?? 0;
      return score(part, part.kind === 'code' ? Math.min(shape, shy) : shape);
    }),
    ...values.names.map((part) => score(part, Math.min(named, shy))),
    ...numbers.map((part) => score(part, shapes.number ?? 0)),
  ];
  return /\bdigits\b/.test(meaning) ? found.filter(({ value }) => /\d/.test(String(value))) : found;
}

const NAMING = String.raw`(?:\s*[:=]\s*|\s+(?:is|are|will be|should be|called|named|titled|saying|says?|to be|as|of|to)\s+|\s+)`;
const STOPS = String.raw`(?=\s+(?:and|with|in|on|at|by|for|from|off|to|that|which|who|using|including|because|but|so|is|as|please|of|via|into|under|within|version|where)\b|[.?!,;:)]\s|[.?!,;:)]*$|\n)`;
const PLAIN =
  /^(?:is|are|was|the|an?|of|in|on|at|to|for|and|or|that|this|it|its|my|your|our|as|by|with|from|into|be|if|so|not|no|please|i|we|you|me|us|here|there|what|which|who|how|when|where|named|called|titled|name|id|number|should|will|would|can|could|has|have|information|details?|list|data|pls|plz|thanks|now|again|asap|right|too|also|today|tomorrow|tonight|yesterday|off|out|up|down|locked|open|closed|available|still|already|really|very|always|never|broken|empty|full|late|like|just|only)(?:\s|$)/i;
const TITLE = /^(?:name|title|label|subject|heading)$/;
const CALLED =
  /\b(?:called|named|titled|entitled|labell?ed|call it|name it|title it)\s+(\p{Lu}[\p{L}\d'’&-]*(?:\s+(?:(?:in|of|the|at|on|for|to|with|and|de|la|&)\s+)*[\p{Lu}\d][\p{L}\d'’&-]*)*)/u;

/** "database called inventory", "city: paris", "an album called Summer in Crete": words after the argument's own. */
export function readNamed({ words, labels, kind }: ArgumentProfile, { text }: MessageValues): Candidate[] {
  const title = kind === 'text' && words.some((word) => TITLE.test(word)) ? CALLED.exec(text) : null;
  if (title?.[1]) return [endingWith(title, title[1], 0.99)];
  const low = text.toLowerCase();
  const names = [
    ...(words.every((word) => low.includes(word)) ? [words.map(escapePattern).join('[ _-]?')] : []),
    ...labels.filter((word) => low.includes(word)),
  ];
  return names.flatMap((name, index) => {
    const match = new RegExp(
      String.raw`\b${name}s?\b(${NAMING})(?:the\s+|an?\s+)?([\p{L}\d@#][\p{L}\d_@#./*+'-]*(?:\s[\p{L}\d][\p{L}\d_'-]*){0,4}?)${STOPS}`,
      'iu',
    ).exec(text);
    const [, link = '', value = ''] = match ?? [];
    if (!match || PLAIN.test(value) || !suits(kind, value)) return [];
    // ", reference rent November": a clause of its own names its argument first.
    const isClause = /(?:^|[,;]\s*(?:and\s+|with\s+)?)$/.test(text.slice(0, match.index));
    const isSaid = isClause || /[:=]|is|are|be|called|named|titled|say|as/.test(link);
    if (!isSaid && /\s/.test(value)) return [];
    return [endingWith(match, value, (/called|named|titled/.test(link) ? 0.98 : isSaid ? 0.8 : 0.55) - index * 0.02)];
  });
}

/** The value that ends a match. */
function endingWith(match: RegExpExecArray, value: string, score: number): Candidate {
  return { value, at: match.index + match[0].length - value.length, length: value.length, score };
}

/** Addresses must look like one. */
function suits(kind: ArgumentKind, value: string): boolean {
  if (kind === 'host' || kind === 'url') return /\w\.\w|^localhost$/i.test(value);
  if (kind === 'email') return value.includes('@');
  return kind !== 'path' || /[./\\]/.test(value);
}

const MAX_EXAMPLE = 25;

/** Values like the examples of the description, and things of a known kind: rooms for `room`, "thai" for `cuisine`. */
function readExamples(profile: ArgumentProfile, { text }: MessageValues): Candidate[] {
  const { examples, words, kind, meaning } = profile;
  if (kind !== 'text') return [];
  const labels = labelsOf(profile, text);
  const named = /\b(\w+?)s? (?:of|in|where)\b/.exec(meaning)?.[1] ?? '';
  return [...examples, ...readEntries('kinds', [...words, named])].flatMap((example) => {
    if (example.length > MAX_EXAMPLE || /[,:]/.test(example)) return [];
    const flags = example.length < 3 ? '' : 'i';
    const match = new RegExp(String.raw`(?<![\w'.])${escapePattern(example)}(?![\w'])`, flags).exec(text);
    if (!match) return [];
    const span = { at: match.index, length: match[0].length };
    return [{ value: match[0], ...span, score: Math.max(SURE.described + 0.06, nearLabel(labels, text, span)) }];
  });
}
