import type { TokenKind } from '../../../language/tokens.ts';
import { stem } from '../../../language/words.ts';
import { actionOf } from '../actions.ts';
import { hasConcept, sharesConcept } from '../concepts.ts';
import type { ArgumentKind, ArgumentProfile } from './argument-profile.ts';
import { type Candidate, type CandidateReader, SURE } from './candidate.ts';
import { shapePattern } from './example-shape.ts';
import { escapePattern, type Labels, labelsOf, nearLabel, shortFormsOf } from './near-label.ts';
import { readAddress } from './read-address.ts';
import { readChunks } from './read-chunk.ts';
import { readSubject } from './read-subject.ts';
import { readDuty, readExtension, readHashtag, readKinds, readSaid, readTitles, readTold } from './read-titles.ts';
import type { Found } from './values/found.ts';
import type { MessageValues } from './values/message-values.ts';

/** How well the form of a value fits an argument of a kind, without any word beside it. */
const SHAPES: Partial<Record<ArgumentKind, Partial<Record<TokenKind | 'quoted' | 'name' | 'number', number>>>> = {
  email: { email: SURE.shaped, name: 0.3 },
  url: { url: SURE.shaped, host: 0.6, quoted: 0.3 },
  path: { path: SURE.shaped, quoted: 0.5, code: 0.3 },
  host: { host: SURE.shaped, ip: SURE.shaped, url: SURE.linked, quoted: 0.4, code: 0.2 },
  uuid: { uuid: SURE.shaped },
  id: { uuid: 0.7, code: 0.6, host: 0.4, ip: 0.4, quoted: 0.5, number: 0.4, name: 0.2 },
  text: { quoted: SURE.likely, name: 0.45, code: 0.4, path: 0.35, host: 0.3 },
  query: { quoted: 0.7 },
};

/** Texts, ids and addresses: by the words beside them, by the preposition that suits them, or by their form. */
export const readTexts: CandidateReader = (profile, values, options) => {
  const labels = labelsOf(profile, values.text);
  // A title is seldom only the name in it: "lunch with Sofia".
  const isPhrase =
    profile.kind === 'text' &&
    profile.words.some((word) => /^(?:title|content|text|message|body|note|task|item|product|event)$/.test(word));
  const needsDigits = /\bdigits\b/.test(profile.meaning);
  const spans = spansOf(profile.kind, values).filter(({ part }) => !needsDigits || /\d/.test(part.value));
  const found = spans.map(({ shape: form, part, isNumber, isQuoted }) => {
    const isWho = form === SHAPES.text?.name && profile.words.some((word) => WHO.test(word)) ? 0.05 : 0;
    const isSpeech = isQuoted && PERSON.test(profile.meaning);
    const shape =
      isPhrase && (form === SHAPES.text?.name || form === SHAPES.text?.code)
        ? 0.2
        : isSpeech
          ? form - 0.15
          : form + isWho;
    const near = nearLabel(labels, values.text, part);
    const score = Math.max(
      shape,
      near === 0 ? 0 : near + shape / 20,
      isNumber ? 0 : roleScore(profile, values.text, part),
    );
    return { value: part.value, at: part.at, length: part.length, score };
  });
  return [
    ...found,
    ...readNamed(profile, values),
    ...readTitles(profile, values),
    ...readKinds(profile, values),
    ...readAddress(profile, values),
    ...readHashtag(profile, values),
    ...readSaid(profile, values),
    ...readTold(profile, values),
    ...readDuty(profile, values),
    ...readExtension(profile, values),
    ...readLinked(profile, values),
    ...readBefore(profile, values),
    ...readExample(profile, values, { labels, about: options.context.about ?? [] }),
    ...readShaped(profile, values),
    ...readSubject(profile, values),
    ...(profile.kind === 'text' || isFolder(profile) ? readChunks(profile, values, options) : []),
  ];
};

/** A folder may be a plain name. */
function isFolder({ kind, words }: ArgumentProfile): boolean {
  return kind === 'path' && words.some((word) => /^(?:folder|directory|dir)$/.test(word));
}

const WHO =
  /^(?:pet|pupil|student|child|member|guest|customer|client|employee|driver|player|patient|agent|cow|animal)$/;
const PERSON = /\b(?:person|recipient|who|contact|sender|assignee|friend|colleague)\b/;

/** Values that are written like the example of the description. */
function readShaped({ examples }: ArgumentProfile, { text, quoted }: MessageValues): Candidate[] {
  return examples.flatMap((example) =>
    [...text.matchAll(shapePattern(example) ?? /(?!)/g)]
      .filter(({ index }) => !quoted.some(({ at, length }) => index > at && index < at + length))
      .map((match) => ({ value: match[0], at: match.index, length: match[0].length, score: SURE.shaped + 0.05 })),
  );
}

interface SpanOfKind {
  shape: number;
  part: Found;
  isNumber?: boolean;
  isQuoted?: boolean;
}

function spansOf(kind: ArgumentKind, values: MessageValues): SpanOfKind[] {
  const shapes = SHAPES[kind] ?? SHAPES.text ?? {};
  const numbers = values.numbers
    .filter(({ isWord }) => !isWord)
    .map(({ at, length }) => ({ at, length, value: values.text.slice(at, at + length) }));
  return [
    ...values.quoted.map((part) => ({ shape: shapes.quoted ?? 0, part, isQuoted: true })),
    ...values.tokens.map((part) => ({ shape: shapes[part.kind] ?? 0, part })),
    ...values.names.map((part) => ({ shape: shapes.name ?? 0, part })),
    ...numbers.map((part) => ({ shape: shapes.number ?? 0, part, isNumber: true })),
  ];
}

/** Words that lead to the name of somebody or something in a role. */
export const ROLES: readonly [role: RegExp, lead: RegExp, follow?: RegExp][] = [
  [
    /\b(?:cast|actor|actress|starring)\b/,
    /\b(?:with|starring|stars?|featur(?:ing|es?)|actor|actress|acted by|in which)\s+(?:the\s+)?(?:actor\s+|actress\s+)?$/i,
    /^\s+(?:acted|acts|stars|plays|in (?:the )?(?:lead|cast|it)|as an? actor)/i,
  ],
  [/\bdirect(?:ed|or)\b/, /\b(?:directed by|director|by)\s+$/i, /^\s+(?:as (?:the )?director|directed)/i],
  [/\b(?:artist|singer|band|musician|performer)\b/, /\b(?:by|artist|singer|band|from)\s+$/i],
  [/\b(?:author|writer)\b/, /\b(?:by|author|writer)\s+$/i],
  [
    /\b(?:content|text|message|body|note|comment|title)\b/,
    /\b(?:says?|saying|reads?|reading|writ(?:e|es|ing)|posts?|type|text|message)\s*:?\s*$/i,
  ],
  [
    /\b(?:recipient|receiver|to|contact|person|payee)\b/,
    /(?:\b(?:to|tell|pay|notify|send|give|call|ring|phone|invite|ask|wire|forward)|\bfor(?=\s+(?:my|our)\s+\w+\s+$)|(?<!\b(?:the|an?|this|following|short|quick|new)\s)\b(?:email|text|message))\s+(?:(?:my|our|the)\s+(?:\w+\s+)?)?$/i,
  ],
  [/\b(?:origin|from|source|departure|start)\b/, /\bfrom\s+(?:the\s+)?$/i],
  [/\b(?:destination|to|target|arrival)\b/, /\b(?:to|into)\s+(?:the\s+)?$/i],
  [/\bversion\b/, /\b(?:to|version|release)\s+$/i],
  [
    /\b(?:theater|theatre|venue|restaurant|cinema|store|shop|hotel|pharmacy|supermarket)\b/,
    /\b(?:at|from)\s+(?:the\s+)?$/i,
  ],
];

export function roleScore({ words }: ArgumentProfile, text: string, { at, length }: Found): number {
  const name = words.join(' ');
  const before = text.slice(Math.max(0, at - 30), at);
  const after = text.slice(at + length, at + length + 30);
  const isLed = ROLES.some(([role, lead, follow]) => role.test(name) && (lead.test(before) || follow?.test(after)));
  return isLed ? SURE.linked : 0;
}

const NAMING = String.raw`(?:\s*[:=]\s*|\s+(?:is|are|will be|should be|called|named|titled|saying|says?|to be|as|of|to)\s+|\s+)`;
const STOPS = String.raw`(?=\s+(?:and|with|in|on|at|by|for|from|off|to|that|which|who|using|including|because|but|so|is|as|please|of|via|into|under|within|version|where)\b|[.?!,;:)]\s|[.?!,;:)]*$|\n)`;

/** Addresses must look like one. */
function suits(kind: ArgumentKind, value: string): boolean {
  if (kind === 'host' || kind === 'url') return /\w\.\w|^localhost$/i.test(value);
  if (kind === 'email') return value.includes('@');
  return kind !== 'path' || /[./\\]/.test(value);
}

/** "database called inventory", "city: paris": plain words after the argument's own. */
export function readNamed({ words, labels, kind }: ArgumentProfile, { text }: MessageValues): Candidate[] {
  const low = text.toLowerCase();
  const isWhole = words.every((word) => low.includes(word));
  const names = [
    ...(isWhole ? [words.map(escapePattern).join('[ _-]?')] : []),
    ...labels
      .flatMap((word) => [word, ...shortFormsOf(word)])
      .flatMap((word) => (low.includes(word) ? escapePattern(word) : [])),
  ];
  return names.flatMap((name, index) => {
    const match = new RegExp(
      String.raw`\b${name}s?\b(${NAMING})(?:the\s+|an?\s+)?([\p{L}\d@#][\p{L}\d_@#./*+'-]*(?:\s[\p{L}\d][\p{L}\d_'-]*){0,4}?)${STOPS}`,
      'iu',
    ).exec(text);
    const [all = '', link = '', value = ''] = match ?? [];
    if (!match || PLAIN.test(value) || !suits(kind, value)) return [];
    // ", reference rent November": a clause of its own names its argument first.
    const isClause = /(?:^|[,;]\s*(?:and\s+|with\s+)?)$/.test(text.slice(0, match.index));
    const isSaid = isClause || /[:=]|is|are|be|called|named|titled|say|as/.test(link);
    if (!isSaid && /\s/.test(value)) return [];
    const at = match.index + all.length - value.length;
    return [
      {
        value,
        at,
        length: value.length,
        score: (/called|named|titled/.test(link) ? 0.98 : isSaid ? 0.8 : 0.55) - index * 0.02,
      },
    ];
  });
}

/** "from develop", "to main": a plain word after the preposition of the argument's role. */
function readLinked({ words, kind }: ArgumentProfile, { text }: MessageValues): Candidate[] {
  const isFrom = words.some((word) => /^(?:from|source|origin|start|base)$/.test(word));
  const isTo = words.some((word) => /^(?:to|target|destination)$/.test(word));
  if (isFrom === isTo || (kind !== 'text' && kind !== 'id')) return [];
  const match = new RegExp(
    String.raw`\b(?:${isFrom ? 'from|off|based on|out of' : 'to|into|onto'})\s+(?:the\s+)?([\p{L}\d][\p{L}\d_./-]*)${STOPS}`,
    'iu',
  ).exec(text);
  const value = match?.[1];
  if (!match || value === undefined || PLAIN.test(value)) return [];
  return [{ value, at: match.index + match[0].lastIndexOf(value), length: value.length, score: SURE.described }];
}

/** "the bandana project", "a deluxe room": the word before the argument's own. */
function readBefore(
  { labels, isRequired, kind, meaning, examples }: ArgumentProfile,
  { text }: MessageValues,
): Candidate[] {
  if (!isRequired || labels.length === 0 || kind !== 'text') return [];
  const match = new RegExp(
    String.raw`(?:^|\b(?:the|an?|my|our|for|of)\s+)([\w'-]{3,})\s+(?:${labels.map(escapePattern).join('|')})s?\b`,
    'i',
  ).exec(text);
  const value = match?.[1];
  if (!match || value === undefined || PLAIN.test(value) || NO_VALUE.test(value)) return [];
  // "the back door" names a door; "the bandana project" is called bandana.
  const isWhole = asksWhich({ meaning, examples, labels });
  const whole = isWhole || POSITION.test(value) ? match[0].slice(match[0].indexOf(value)) : value;
  const score = isWhole ? SURE.described : SURE.likely - 0.08;
  return [{ value: whole, at: match.index + match[0].indexOf(value), length: whole.length, score }];
}

/** "Which door, e.g. front door": the thing is named with its kind. */
function asksWhich({ meaning, examples, labels }: Pick<ArgumentProfile, 'meaning' | 'examples' | 'labels'>): boolean {
  return (
    labels.some((label) => new RegExp(String.raw`\bwhich ${escapePattern(label)}\b`).test(meaning)) ||
    examples.some((example) => labels.some((label) => example.toLowerCase().endsWith(` ${label}`)))
  );
}

const POSITION =
  /^(?:front|back|rear|side|main|left|right|upper|lower|top|bottom|inner|outer|garage|patio|balcony|basement)$/i;
const NO_VALUE =
  /^(?:new|current|latest|specific|following|same|other|exact|full|whole|first|last|next|available|given|existing|own)$/i;
const PLAIN =
  /^(?:is|are|was|the|an?|of|in|on|at|to|for|and|or|that|this|it|its|my|your|our|as|by|with|from|into|be|if|so|not|no|please|i|we|you|me|us|here|there|what|which|who|how|when|where|named|called|titled|name|id|number|should|will|would|can|could|has|have|information|details?|list|data|pls|plz|thanks|now|again|asap|right|too|also|today|tomorrow|tonight|yesterday|off|out|up|down|locked|open|closed|available|still|already|really|very|too|always|never|broken|empty|full|late|like|just|only)(?:\s|$)/i;

/** A word that the description gives as an example: "such as 'red' or 'blue'"; colours and sizes are known. */
function readExample(
  { examples, words, kind, meaning }: ArgumentProfile,
  { text }: MessageValues,
  { labels, about }: { labels: Labels; about: readonly string[] },
): Candidate[] {
  if (kind !== 'text') return [];
  const known = words.some((word) => /^colou?rs?$/.test(word))
    ? COLOURS
    : words.some((word) => /^sizes?$/.test(word))
      ? SIZES
      : words.some((word) => /^(?:room|zone|area)$/.test(word)) || /\brooms? (?:of|in|where)\b/.test(meaning)
        ? ROOMS
        : [];
  return [...examples, ...known].flatMap((example) => {
    const match = new RegExp(
      String.raw`(?<![\w'])${escapePattern(example)}(?![\w'])`,
      example.length < 3 ? '' : 'i',
    ).exec(text);
    if (!match || example.length > 25 || /[,:]/.test(example)) return [];
    if (isPartOfOther(text.slice(match.index + match[0].length), about)) return [];
    const score = Math.max(SURE.described + 0.06, nearLabel(labels, text, { at: match.index, length: example.length }));
    return [{ value: match[0], at: match.index, length: match[0].length, score }];
  });
}

/** "the garage door" is no garage to a tool that knows no doors. */
function isPartOfOther(after: string, about: readonly string[]): boolean {
  const next = /^\s+([a-z]{3,})/.exec(after)?.[1];
  if (next === undefined || about.length === 0 || !hasConcept(next) || actionOf(next) !== undefined) return false;
  return !about.some((thing) => stem(thing) === stem(next) || sharesConcept(thing, next));
}

const COLOURS =
  'red blue green yellow black white orange purple pink brown grey gray silver gold beige navy maroon teal turquoise'.split(
    ' ',
  );
const ROOMS = [
  'living room',
  'dining room',
  'kitchen',
  'bedroom',
  'bathroom',
  'hallway',
  'hall',
  'office',
  'study',
  'garage',
  'basement',
  'attic',
  'balcony',
  'patio',
  'porch',
  'nursery',
  'garden',
  'guest room',
  'laundry room',
  'master bedroom',
  ...'parlour,parlor,lounge,cellar,conservatory,loft,den,pantry,utility room,playroom,workshop,shed,terrace,staircase,corridor,foyer,toilet,downstairs,upstairs'.split(
    ',',
  ),
];
const SIZES = 'small medium large XS S M L XL XXL extra-large'.split(' ');
