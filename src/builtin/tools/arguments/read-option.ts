import { aliasesOf } from '../../../language/aliases.ts';
import type { Json } from '../../../schema/json.ts';
import { conceptStrength } from '../concepts.ts';
import { enumOf, isContentWord, splitWords } from '../tool-document.ts';
import type { ArgumentProfile } from './argument-profile.ts';
import { type Candidate, type CandidateReader, type MessageValues, type Span, SURE } from './candidate.ts';
import { escapePattern, labelsOf, nearLabel } from './near-label.ts';

/** An option that stands for "not said". */
const NO_MATTER = /^(?:dontcare|don't care|any|all|none|null|unknown|unspecified)$/i;
/** "she should not edit or comment": what a clause denies is not chosen while another option is there. */
const DENIED =
  /\b(?:not|never|without|cannot|can'?t|don'?t|doesn'?t|shouldn'?t|mustn'?t|won'?t|instead of)\b[^,.;!?]*$/i;
const CLEARLY_CLOSER = 1.5;

/** Options of an enum that the message names: as written, in another form, or by another name. */
export const readOptions: CandidateReader = (profile, values, { all }) => {
  const options = enumOf(profile.argument.schema).filter((option) => option !== null);
  const labels = labelsOf(profile, values.text);
  const isShared = all.some((other) => other !== profile && sameOptions(other, profile));
  const found = options
    .flatMap((option) => findOption(option, values))
    .map((candidate) => {
      const isNamed = isLinked(profile, values.text, candidate) || nearLabel(labels, values.text, candidate) > 0;
      const bonus = (isNamed ? 0.1 : 0) + (isShared && isMeasured(candidate, values) ? 0.05 : 0);
      return { ...candidate, score: Math.min(1, candidate.score + bonus) + candidate.length / 1000 };
    });
  const meant = found.filter(({ at, length }) => length === 0 || !DENIED.test(values.text.slice(0, at)));
  const kept = (isShared || meant.length === 0 ? found : meant).filter(
    ({ value }) => !NO_MATTER.test(String(value)) || found.length === 1,
  );
  return kept.length > 0 || !profile.isRequired ? kept : closestOption(options, profile, values.text);
};

/** "my teeth" and `dentist`: the only option that speaks of the same thing as a word of the message. */
function closestOption(options: readonly Json[], { labels }: ArgumentProfile, text: string): Candidate[] {
  const said = splitWords(text).filter((word) => isContentWord(word) && !labels.includes(word));
  const strengthOf = (option: Json) =>
    Math.max(0, ...splitWords(String(option)).flatMap((part) => said.map((word) => conceptStrength(part, word))));
  const [best, second] = options
    .map((value) => ({ value, strength: strengthOf(value) }))
    .sort((a, b) => b.strength - a.strength);
  const isClear = best !== undefined && best.strength > CLEARLY_CLOSER * (second?.strength ?? 0);
  return isClear ? [{ value: best.value, at: 0, length: 0, score: SURE.likely }] : [];
}

function sameOptions(a: ArgumentProfile, b: ArgumentProfile): boolean {
  return JSON.stringify(a.argument.schema.enum) === JSON.stringify(b.argument.schema.enum);
}

/** "to EUR" for the argument `to`. */
function isLinked({ words }: ArgumentProfile, text: string, { at }: Span): boolean {
  const own = words.map(escapePattern).join('|');
  return new RegExp(String.raw`\b(?:${own})\s+(?:is\s+|the\s+|an?\s+)?$`, 'i').test(text.slice(0, at));
}

/** "5 km": the option counts a number. */
function isMeasured({ at }: Span, { numbers, text }: MessageValues): boolean {
  return numbers.some((number) => number.at < at && text.slice(number.at + number.length, at).trim() === '');
}

/** The places of the message that name an option; a surer way of naming it hides the others. */
function findOption(option: Json, values: MessageValues): Candidate[] {
  const name = String(option);
  const ways = [
    () => findPhrase(name, values, SURE.shaped).filter((found) => isMeantSo(name, values.text, found)),
    () => otherNames(name).flatMap((other) => findPhrase(other, values, SURE.linked)),
  ];
  for (const way of name.trim() === '' ? [] : ways) {
    const found = way();
    if (found.length > 0) return found.map((one) => ({ ...one, value: option }));
  }
  return [];
}

const SWITCHING =
  /\b(?:turn|switch|put|set|power|keep|leave|lights?|is|be|to|it|pull|let|roll|move|bring|raise|go|drive|volume|shutters?|blinds?|curtains?)\b[^.?!]{0,40}$/i;

/** A single letter counts only as a capital or as the whole of a quoted text; "on" and "off" only after a verb. */
function isMeantSo(name: string, text: string, { at, length }: Span): boolean {
  if (/^(?:on|off|in|up|down|to)$/i.test(name)) return SWITCHING.test(text.slice(0, at));
  const said = text.slice(at, at + length);
  return name.length > 1 || said === name.toUpperCase() || (name !== 'a' && name !== 'i' && said === name);
}

function findPhrase(name: string, { text }: MessageValues, score: number): Candidate[] {
  const words = escapePattern(name)
    .replace(/[_ -]+/g, '[ _-]?')
    .replace(/(?<=[a-z])(?=\d)/gi, '[ _-]?');
  const matches = text.matchAll(new RegExp(String.raw`(?<![\w])${words}(?:s|es|'s)?(?![\w])`, 'gi'));
  return [...matches].map((match) => ({ value: name, at: match.index, length: match[0].length, score }));
}

/** Names that mean the same, without those that are as often other words. */
function otherNames(name: string): string[] {
  return [...aliasesOf(name)].filter(
    (other) => other !== name.toLowerCase() && other.length > 1 && !/^(?:in|no|it|is|as|do|to)$/.test(other),
  );
}
