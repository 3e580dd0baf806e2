import type { SQLInputValue } from 'node:sqlite';
import type { Parameter, TrustedQuestion } from './space-file.ts';

/** Column (`table.column`) → its values, for parameters that name one. */
export type KnownValues = ReadonlyMap<string, readonly string[]>;

export interface Filled {
  values: Record<string, SQLInputValue>;
  /** Parameters that the question named; the others hold their defaults. */
  named: string[];
  /** Where the question says what the parameters hold. */
  explained: TextPart[];
  /** Where it says the same again, or what a follow-up has replaced. */
  repeated: TextPart[];
  isMissing: boolean;
}

/** A part of a text, the end not counted in. */
export interface TextPart {
  start: number;
  end: number;
}

/** What a follow-up says stands in brackets behind the question that it goes on with. */
const FOLLOW_UP = /\(([^()]*)\)\s*$/;

/** Finds the parameters of a trusted question in the words of the one that was asked, a follow-up's words first. */
export function fillParameters(text: string, { parameters }: TrustedQuestion, known: KnownValues): Filled {
  const filled: Filled = { values: {}, named: [], explained: [], repeated: [], isMissing: false };
  for (const [name, parameter] of Object.entries(parameters)) {
    const found = findNewest(text, parameter, known);
    filled.values[name] = found?.value ?? parameter.default ?? null;
    if (found) {
      filled.named.push(name);
      filled.explained.push(...found.parts);
      filled.repeated.push(...(found.repeated ?? []));
    } else if (parameter.type === 'value' && parameter.required) filled.isMissing = true;
  }
  return filled;
}

interface Found {
  value: SQLInputValue;
  parts: TextPart[];
  repeated?: TextPart[];
}

/** What a follow-up names stands in for what the question before it named. */
function findNewest(text: string, parameter: Parameter, known: KnownValues): Found | undefined {
  const followUp = FOLLOW_UP.exec(text);
  const found = findValue(text, parameter, known);
  const newer = followUp && findValue(followUp[1] ?? '', parameter, known);
  if (!newer) return found;
  const shift = followUp.index + 1;
  const replaced = findValue(text.slice(0, followUp.index), parameter, known)?.parts ?? [];
  return { value: newer.value, parts: newer.parts.map((part) => move(part, shift)), repeated: replaced };
}

function move({ start, end }: TextPart, shift: number): TextPart {
  return { start: start + shift, end: end + shift };
}

function partOf(match: RegExpExecArray): TextPart {
  return { start: match.index, end: match.index + match[0].length };
}

function findValue(text: string, parameter: Parameter, known: KnownValues): Found | undefined {
  if (parameter.type === 'count') return findCount(text, parameter.max);
  if (parameter.type === 'days') return findDays(text);
  return findNames(text, parameter, known.get(parameter.column) ?? []);
}

const WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const NUMBER = String.raw`(\d{1,4}|${WORDS.slice(1).join('|')}|fifteen|twenty|thirty|fifty|hundred)`;
const MORE_WORDS: Readonly<Record<string, number>> = { fifteen: 15, twenty: 20, thirty: 30, fifty: 50, hundred: 100 };
const RANKED = new RegExp(
  String.raw`\b(?:top|first|best|worst|bottom|largest|highest|lowest|the|what|which|show(?: me)?|list)\s+${NUMBER}\b(?!\s*(?:days?|weeks?|months?|quarters?|years?|%|percent))`,
  'gi',
);
const UNIT_DAYS: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30, quarter: 90, season: 90, year: 365 };
const SPAN = new RegExp(
  String.raw`\b(?:${NUMBER}\s+(day|week|month|quarter|year)s?|(?:last|past|previous|this|current)\s+(day|week|month|quarter|season|year))\b`,
  'gi',
);

function toNumber(word: string): number {
  const place = WORDS.indexOf(word.toLowerCase());
  if (place >= 0) return place;
  return MORE_WORDS[word.toLowerCase()] ?? Number(word);
}

function findCount(text: string, max: number): Found | undefined {
  const match = [...text.matchAll(RANKED)].at(-1);
  if (!match) return undefined;
  return { value: Math.max(1, Math.min(max, toNumber(String(match[1])))), parts: [partOf(match)] };
}

function findDays(text: string): Found | undefined {
  const match = [...text.matchAll(SPAN)].at(-1);
  if (match) {
    const unit = UNIT_DAYS[String(match[2] ?? match[3]).toLowerCase()] ?? 1;
    return { value: (match[1] ? toNumber(match[1]) : 1) * unit, parts: [partOf(match)] };
  }
  const day = /\btoday\b/i.exec(text);
  return day ? { value: 1, parts: [partOf(day)] } : undefined;
}

type ValueParameter = Extract<Parameter, { type: 'value' }>;

function findNames(text: string, parameter: ValueParameter, values: readonly string[]): Found | undefined {
  const mentions = values
    .flatMap((value) => [value, ...(parameter.synonyms[value] ?? [])].flatMap((word) => mentionsOf(text, word, value)))
    .sort((a, b) => b.end - b.start - (a.end - a.start) || a.start - b.start);
  const apart = mentions.filter(
    (mention, index) => !mentions.slice(0, index).some((longer) => overlaps(mention, longer)),
  );
  if (apart.length === 0) return undefined;
  if (parameter.many) return { value: JSON.stringify([...new Set(apart.map(({ value }) => value))]), parts: apart };
  const first = apart.reduce((best, mention) => (mention.start < best.start ? mention : best));
  return { value: first.value, parts: [first], repeated: apart.filter(({ value }) => value === first.value) };
}

interface Mention extends TextPart {
  value: string;
}

function mentionsOf(text: string, word: string, value: string): Mention[] {
  const pattern = word
    .trim()
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/[\s_-]+/g, String.raw`[\s_-]+`);
  if (pattern === '') return [];
  const found = text.matchAll(new RegExp(String.raw`(?<![\p{L}\p{N}])${pattern}(?:s|es)?(?![\p{L}\p{N}])`, 'giu'));
  return [...found].map((match) => ({ value, ...partOf(match) }));
}

function overlaps(a: Mention, b: Mention): boolean {
  return a.start < b.end && b.start < a.end;
}
