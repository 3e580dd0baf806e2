import { aliasesOf, oppositeOf } from '../../../language/aliases.ts';
import { stem } from '../../../language/words.ts';
import type { Json } from '../../../schema/json.ts';
import { conceptStrength } from '../concepts.ts';
import { enumOf, isContentWord, splitWords } from '../tool-document.ts';
import type { ArgumentProfile } from './argument-profile.ts';
import { type Candidate, type CandidateReader, SURE } from './candidate.ts';
import { escapePattern, labelsOf, nearLabel } from './near-label.ts';
import { readOrdinal } from './read-number.ts';
import type { MessageValues } from './values/message-values.ts';

/** An option that stands for "not said". */
const NO_MATTER = /^(?:dontcare|don't care|any|all|none|null|unknown|unspecified)$/i;
/** "she should not edit or comment": what a clause denies is not chosen while another option is there. */
const DENIED =
  /\b(?:not|never|without|cannot|can'?t|don'?t|doesn'?t|shouldn'?t|mustn'?t|won'?t|instead of)\b[^,.;!?]*$/i;
const LEAST_ALIKE = 0.48;
const LEAST_MARGIN = 0.05;
const CLEARLY_CLOSER = 1.5;

/** Options of an enum that the message names: as written, in another form, by another name, or by most of their words. */
export const readOptions: CandidateReader = (profile, values, { context, all }) => {
  const options = enumOf(profile.argument.schema).filter((option) => option !== null);
  const labels = labelsOf(profile, values.text);
  const found = options.flatMap((option) => findOption(option, profile, values));
  const isShared = all.some((other) => other !== profile && sameOptions(other, profile));
  const scored = found.map((candidate) => {
    const named = linkedTo(profile, values.text, candidate) || nearLabel(labels, values.text, candidate) > 0;
    const bonus = (named ? 0.1 : 0) + (isShared && isMeasured(candidate, values) ? 0.05 : 0);
    return { ...candidate, score: Math.min(1, candidate.score + bonus) + candidate.length / 1000 };
  });
  const meant = scored.filter(({ at, length }) => length === 0 || !DENIED.test(values.text.slice(0, at)));
  const kept = (isShared ? scored : preferLater(meant.length > 0 ? meant : scored)).filter(
    ({ value }) => !NO_MATTER.test(String(value)) || scored.length === 1,
  );
  if (kept.length === 0 && profile.isRequired) {
    const implied = [...impliedOn(options, values.text), ...conceptOption(options, profile, values.text)];
    if (implied.length > 0) return implied;
  }
  return kept.length > 0 || !profile.isRequired
    ? kept
    : guessOption(options, profile, { values, vectors: context.vectors });
};

/** "my teeth" and `dentist`: the only option that speaks of the same thing as a word of the message. */
function conceptOption(options: readonly Json[], { labels }: ArgumentProfile, text: string): Candidate[] {
  const said = splitWords(text).filter((word) => isContentWord(word) && !labels.includes(word));
  const [best, second] = options
    .map((option) => ({
      option,
      strength: Math.max(
        0,
        ...splitWords(String(option)).flatMap((part) => said.map((word) => conceptStrength(part, word))),
      ),
    }))
    .sort((a, b) => b.strength - a.strength);
  const isClear = best !== undefined && best.strength > CLEARLY_CLOSER * (second?.strength ?? 0);
  return isClear ? [{ value: best.option, at: 0, length: 0, score: SURE.likely }] : [];
}

/** A lamp that is dimmed or gets a colour is on. */
function impliedOn(options: readonly Json[], text: string): Candidate[] {
  const on = options.find((option) => String(option).toLowerCase() === 'on');
  const isMeant = /\b(?:dim|brighten|make|set)\b/i.test(text) && !/\boff\b/i.test(text);
  return on !== undefined && isMeant ? [{ value: on, at: 0, length: 0, score: SURE.likely }] : [];
}

/** "down halfway": of two options side by side the second says more. */
function preferLater(found: Candidate[]): Candidate[] {
  return found.map((one) => {
    const isLater = found.some(
      (other) => other.value !== one.value && other.length > 0 && one.at === other.at + other.length + 1,
    );
    return isLater ? { ...one, score: one.score + 0.15 } : one;
  });
}

const MORE_NAMES: Readonly<Record<string, readonly string[]>> = {
  half: ['halfway', 'half way', 'midway'],
  open: ['opened', 'up'],
  closed: ['shut', 'close', 'down'],
  emergency: ['urgent', 'urgently'],
  ground: ['downstairs', 'bottom'],
  quiet: ['silent', 'silently', 'quietly'],
  max: ['maximum', 'full power'],
};

function sameOptions(a: ArgumentProfile, b: ArgumentProfile): boolean {
  return JSON.stringify(a.argument.schema.enum) === JSON.stringify(b.argument.schema.enum);
}

/** "to EUR" for the argument `to`. */
function linkedTo({ words }: ArgumentProfile, text: string, { at }: Candidate): boolean {
  return new RegExp(String.raw`\b(?:${words.map(escapePattern).join('|')})\s+(?:is\s+|the\s+|an?\s+)?$`, 'i').test(
    text.slice(0, at),
  );
}

/** "5 km": the option counts a number. */
function isMeasured({ at }: Candidate, { numbers, text }: MessageValues): boolean {
  return numbers.some((number) => number.at < at && text.slice(number.at + number.length, at).trim() === '');
}

function findOption(option: Json, profile: ArgumentProfile, values: MessageValues): Candidate[] {
  const name = String(option);
  if (name.trim() === '') return [];
  const direct = findPhrase(name, values, SURE.shaped).filter((found) => isMeantSo(name, values.text, found));
  if (direct.length > 0) return direct.map((found) => ({ ...found, value: option }));
  const others = [...otherNames(name, profile)].flatMap((other) => findPhrase(other, values, SURE.linked));
  if (others.length > 0) return others.map((found) => ({ ...found, value: option }));
  return [...findVerb(name, values), ...findParts(name, values), ...findNumber(name, profile, values)].map((found) => ({
    ...found,
    value: option,
  }));
}

/** A single letter counts only as a capital or as the whole of a quoted text; "on" and "off" only after a verb. */
function isMeantSo(name: string, text: string, { at, length }: Candidate): boolean {
  if (/^(?:on|off|in|up|down|to)$/i.test(name))
    return /\b(?:turn|switch|put|set|power|keep|leave|lights?|is|be|to|it|pull|let|roll|move|bring|raise|go|drive|volume|shutters?|blinds?|curtains?)\b[^.?!]{0,40}$/i.test(
      text.slice(0, at),
    );
  if (name.length > 1) return true;
  return (
    text.slice(at, at + length) === name.toUpperCase() ||
    (name !== 'a' && name !== 'i' && text.slice(at, at + length) === name)
  );
}

function findPhrase(name: string, { text }: MessageValues, score: number): Candidate[] {
  const words = escapePattern(name)
    .replace(/[_ -]+/g, '[ _-]?')
    .replace(/(?<=[a-z])(?=\d)/gi, '[ _-]?');
  const matches = text.matchAll(new RegExp(String.raw`(?<![\w])${words}(?:s|es|'s)?(?![\w])`, 'gi'));
  return [...matches].map((match) => ({ value: name, at: match.index, length: match[0].length, score }));
}

/** Aliases, and the names that the description gives: "'metric' for Celsius", "Spanish (ES)". */
function otherNames(name: string, { meaning }: ArgumentProfile): Set<string> {
  const low = escapePattern(name.toLowerCase());
  const said = new RegExp(
    String.raw`'${low}'\s+(?:for|means|is|=)\s+(?:the\s+)?([a-z]+)|\b([a-z]{4,})\s+\(${low}\)`,
  ).exec(meaning);
  const told = said?.[1] ?? said?.[2];
  const same = [...aliasesOf(name)].filter(
    (other) => other !== name.toLowerCase() && other.length > 1 && !/^(?:in|no|it|is|as|do|to)$/.test(other),
  );
  const more = MORE_NAMES[name.toLowerCase()] ?? [];
  return new Set([...same, ...more, ...(told && told.length > 3 ? [told] : [])]);
}

/** "lock the door" means `locked`: the same word with another ending. */
function findVerb(name: string, { text }: MessageValues): Candidate[] {
  const parts = splitWords(name);
  const root = stem(name.toLowerCase());
  if (parts.length !== 1 || root.length < 4) return [];
  return [...text.matchAll(/[A-Za-z]+/g)].flatMap((match) => {
    const word = match[0].toLowerCase();
    const isSame =
      stem(word) === root || (root.length > 5 && stem(word).startsWith(root.slice(0, -1)) && !oppositeOf(word));
    return isSame ? [{ value: name, at: match.index, length: word.length, score: SURE.linked }] : [];
  });
}

/** A long option is meant when most of its words are said. */
function findParts(name: string, { text }: MessageValues): Candidate[] {
  const parts = splitWords(name).filter((word) => isContentWord(word) && word.length > 2);
  if (parts.length < 2) return [];
  const said = new Set(splitWords(text).map(stem));
  const share = parts.filter((word) => said.has(stem(word))).length / parts.length;
  return share >= 0.6 ? [{ value: name, at: 0, length: 0, score: 0.3 + 0.4 * share }] : [];
}

/** "three star" for the options "1" to "5". */
function findNumber(name: string, profile: ArgumentProfile, { numbers, text }: MessageValues): Candidate[] {
  if (!/^\d+$/.test(name)) return [];
  const ordinal = readOrdinal(profile, { text }).find(({ value }) => value === Number(name));
  if (ordinal) return [{ ...ordinal, value: name }];
  const labels = labelsOf(profile, text);
  return numbers
    .filter((number) => number.value === Number(name))
    .map(({ at, length }) => ({
      value: name,
      at,
      length,
      score: nearLabel(labels, text, { at, length }) > 0 ? SURE.linked : SURE.left,
    }));
}

/** The option whose words come closest to a word of the message; only if it is clearly the closest. */
function guessOption(
  options: readonly Json[],
  { labels }: ArgumentProfile,
  { values, vectors }: { values: MessageValues; vectors: Parameters<CandidateReader>[2]['context']['vectors'] },
): Candidate[] {
  if (!vectors) return [];
  const said = [...new Set(splitWords(values.text))].filter(
    (word) => isContentWord(word) && word.length > 2 && !labels.includes(word),
  );
  const ranked = options
    .filter((option) => !NO_MATTER.test(String(option)))
    .map((option) => {
      const parts = splitWords(String(option)).filter((word) => word.length > 2);
      const scores = parts.map((part) => Math.max(0, ...said.map((word) => vectors.similarity(part, word))));
      return { option, score: scores.length === 0 ? 0 : scores.reduce((sum, score) => sum + score, 0) / scores.length };
    })
    .sort((a, b) => b.score - a.score);
  const [best, second] = ranked;
  if (!best || best.score < LEAST_ALIKE || best.score - (second?.score ?? 0) < LEAST_MARGIN) return [];
  return [{ value: best.option, at: 0, length: 0, score: SURE.left }];
}
