import { DOMAIN_FILLER } from '../../language/filler-words.ts';
import { rootOf } from '../../language/words.ts';

/** A word of a question that may name its subject. */
export interface QuestionWord {
  text: string;
  /** Without endings, so that "abandoned" and "abandons" match. */
  root: string;
  start: number;
  end: number;
}

/** Measures and dimensions that fit any data, so that they do not choose a domain. */
const SIDE_WORDS: ReadonlySet<string> = new Set(
  (
    'category categories frequency size value volume speed quality timing ' +
    'status schedule process accuracy experience region name'
  )
    .split(' ')
    .map(rootOf),
);

const MAX_WORDS = 80;

export function isSideWord({ root }: QuestionWord): boolean {
  return SIDE_WORDS.has(root);
}

/** Examples in brackets do not name the subject of a question. */
const ASIDES = /\((?:e\.?g\.?|i\.?e\.?|for example|such as|like)\b[^)]*\)/gi;

/** Some words have a meaning only together. */
const WORD =
  /\b(?:run|runs|running|ran) (?:low|short)\b|\b\p{L}+ out\b|\btoo (?:much|many) of\b|[\p{L}\p{N}]+(?:['’][\p{L}]+)?/giu;

/** The words of a question that can name its subject, in order. */
export function readQuestionWords(text: string, most = MAX_WORDS): QuestionWord[] {
  const words: QuestionWord[] = [];
  const plain = text.replace(ASIDES, (aside) => ' '.repeat(aside.length));
  for (const match of plain.matchAll(WORD)) {
    const word = match[0].toLowerCase().replace(/['’].*$/, '');
    if (DOMAIN_FILLER.has(word) || word.length < 2 || /^\d+$/.test(word)) continue;
    const root = word.split(' ').map(rootOf).join(' ');
    words.push({ text: match[0], root, start: match.index, end: match.index + match[0].length });
    if (words.length >= most) break;
  }
  return words;
}

const RELATION =
  /\b(?:affect|impact|influenc|correlat|relat|link|predict|driv|cause|because|due to|lead|hurt|match|mismatch|constrain|align|optimi[sz]|why|connect|associat|explain|depend)|\b(?:\p{L}+s (?:that|who)|those who|when \p{L}+s (?:are|were|is))\b/iu;
const FORECAST =
  /\b(?:forecast|projections?|projected|extrapolat)\b|\b(?:predict|estimate|guess|anticipate)\b.*\b(?:next|will|future|20[2-9]\d|coming|upcoming)\b|^(?:please )?predict\b|\bwill\b.*\b(?:next|future|coming|upcoming|by (?:the )?end|20[2-9]\d|in (?:a|one|two|three|\d+) (?:week|month|year)s?)\b|\b(?:next|coming|upcoming) (?:week|month|quarter|year|season)(?:['’]s)?\b.*\b(?:will|be|expect|look)\b|\bwhat will\b|\bhow (?:many|much)\b.*\bwill\b/i;
/** About the user, or a request to create or to advise: not a question about data. */
const REQUEST =
  /\b(?:how (?:do|can|should|would) i|myself|should i|do i|am i|teach me|(?:book|order|buy|call|send|bring) me|play|write (?:a|an|me)|translate|remind|reminder|sing|draw|to buy)\b/i;
/** Subjects of the outside world, unless the words of a domain are about them: an agent may have data of markets. */
const WORLD =
  /\b(?:recipe|joke|poem|weather|movie|(?:stock|share) (?:prices?|markets?)|(?:exchange|interest) rates?|capital of)\b/i;
/** "Why does something not happen?": the cause is mostly in another domain. */
const MISSING =
  /\bwhy\b.*(?:\b(?:not|never|no longer|fewer|stop(?:ped|ping)?|declin\w+|dropp\w+|falling|fell|fewer)\b|n['’]t\b)/i;
const FOLLOW_UP =
  /^(?:and|but|so|ok(?:ay)?|now|then|also)?[\s,]*(?:what|how) about\b|^(?:and|also|but|now|then|only|just|same|by|for|in|with|excluding|without|sort|break)\b|\b(?:them|they|their|theirs|those|these|that|it|its|ones?|same)\b|^(?:why|how come|tell me more|more|go on|details?)\b/i;
const IN_ORDER =
  /\bthen\b|\b(?:which|what|top)\b[^?]*\band (?:is|are|how (?:many|much)|do (?:we|they)|does)\b|\bafter (?:that|which)\b|\b(?:for|of|about|do|are|is|with|on)\s+(?:those|these|them|each of them|that)\b|\b(?:their|its)\s+\p{L}+/iu;

/** True if a question asks how two things relate; then both must be looked up. */
export const asksForRelation = (text: string): boolean => RELATION.test(text);
/** True if it asks about the future, which no data covers. */
export const asksForForecast = (text: string): boolean => FORECAST.test(text);
/** True if its words suggest an unrelated topic; a chance match is then not enough. `isOwn`: a domain is about them. */
export function pointsElsewhere(text: string, isOwn: (words: string) => boolean): boolean {
  const [subject] = WORLD.exec(text) ?? [];
  return REQUEST.test(text) || (subject !== undefined && !isOwn(subject));
}
export const asksWhyNot = (text: string): boolean => MISSING.test(text);
/** True if the question depends on an earlier one. */
export const leansOnEarlier = (text: string): boolean => FOLLOW_UP.test(text.trim());
/** True if a part of the question needs the answer to another part. */
export const asksInOrder = (text: string): boolean => IN_ORDER.test(text);
