import { isContentWord, splitWords } from '../builtin/tool-document.ts';
import type { WordVectors } from '../builtin/word-vectors.ts';
import { isSameBeginning, rootOf } from '../builtin/words.ts';
import { isSubject, otherNamesOf } from './asked-words.ts';
import { type Filled, fillParameters, type KnownValues, type TextPart } from './fill-parameters.ts';
import type { TrustedQuestion } from './space-file.ts';

/** A trusted question that fits, ready to be run. */
export interface QuestionMatch {
  question: TrustedQuestion;
  filled: Filled;
  /** 0 to 1. */
  score: number;
  /** The ways to ask it that are near to what was asked. */
  near: NearPhrase[];
}

/** One way to ask a trusted question, held against what was asked. */
export interface NearPhrase {
  text: string;
  /** Whether it names all subjects of what was asked. */
  saysAll: boolean;
  /** The subjects that it names besides. */
  extra: string[];
}

export interface QuestionBook {
  /** The questions for a text, the best first. */
  rank(text: string, known: KnownValues): QuestionMatch[];
}

interface Phrase {
  text: string;
  roots: readonly string[];
  words: readonly string[];
}

interface Entry {
  question: TrustedQuestion;
  phrases: Phrase[];
}

/** "Who spends the most?" asks the same as "which customers". */
const WHO = 'customers';
const PREFIX_STRENGTH = 0.9;
const LEAST_ALIKE = 0.5;
const ALIKE_STRENGTH = 0.85;
/** Below this a way to ask is not what was asked. */
export const LEAST_SCORE = 0.45;
/** Words that no question of the space has are mostly about another domain. */
const FOREIGN_WEIGHT = 0.28;
/** What was asked must be answered; what the trusted question says besides matters less. */
const ASKED_SHARE = 0.65;
const NAMED_BONUS = 0.12;
const REQUIRED_BONUS = 0.35;

/** Compares questions by their words: rare ones count more, and words that are alike count too. */
export function createQuestionBook(questions: readonly TrustedQuestion[], vectors: () => WordVectors): QuestionBook {
  const entries = questions.map((question): Entry => {
    const texts = [question.question, ...question.examples];
    return { question, phrases: texts.map((text) => readPhrase(text.replace(/\{\w+\}/g, ' '))) };
  });
  const rarity = createRarity(entries);
  return {
    rank(text, known) {
      const scored = entries.flatMap(({ question, phrases }) => {
        const filled = fillParameters(text, question, known);
        if (filled.isMissing) return [];
        const asked = readPhrase(without(text, filled.explained));
        const scales = { rarity, vectors: vectors() };
        const isNamed = bonusOf(question, filled) > 0;
        const scores = phrases.map((phrase) =>
          isNamed || sharesSubject(asked, phrase, scales.vectors) ? scorePhrase(asked, phrase, scales) : 0,
        );
        const near = phrases.filter((_, index) => (scores[index] ?? 0) >= LEAST_SCORE);
        return [
          {
            question,
            filled,
            score: Math.min(1, Math.max(...scores) + bonusOf(question, filled)),
            near: near.map((phrase) => holdAgainst(asked, phrase, scales.vectors)),
          },
        ];
      });
      return scored.sort((a, b) => b.score - a.score);
    },
  };
}

/** A question that is asked with a value of ours is more likely meant than one that knows nothing of it. */
function bonusOf({ parameters }: TrustedQuestion, { named }: Filled): number {
  const values = named.flatMap((name) => {
    const parameter = parameters[name];
    return parameter?.type === 'value' ? [parameter] : [];
  });
  if (values.some(({ required }) => required)) return REQUIRED_BONUS;
  return values.length > 0 ? NAMED_BONUS : 0;
}

function readPhrase(text: string): Phrase {
  const words = [
    ...new Set(
      splitWords(text.replace(/['’]s\b/g, '').replace(/\bwho\b/gi, WHO)).filter(
        (word) => isContentWord(word) && word.length > 1 && !/^\d/.test(word),
      ),
    ),
  ];
  return { text, words, roots: words.map(rootOf) };
}

function without(text: string, parts: readonly TextPart[]): string {
  return parts.reduce((rest, { start, end }) => rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end), text);
}

/** A word in every question says nothing; one in a single question says most. */
function createRarity(entries: readonly Entry[]): (root: string) => number {
  const counts = new Map<string, number>();
  for (const { phrases } of entries) {
    for (const root of new Set(phrases.flatMap((phrase) => phrase.roots)))
      counts.set(root, (counts.get(root) ?? 0) + 1);
  }
  const most = Math.log(1 + entries.length / 0.5);
  return (root) => {
    const count = counts.get(root);
    return count === undefined ? FOREIGN_WEIGHT : Math.log(1 + entries.length / count) / most;
  };
}

/** "How many customers" alone is not yet "how many customers abandoned their carts". */
function sharesSubject(asked: Phrase, trusted: Phrase, vectors: WordVectors): boolean {
  const subjects = trusted.roots.map((_, at) => wordAt(trusted, at)).filter(({ word }) => isSubject(word));
  if (subjects.length === 0) return true;
  return asked.roots.some((_, at) => subjects.some((subject) => likeness(wordAt(asked, at), subject, vectors) > 0));
}

interface Scales {
  rarity: (root: string) => number;
  vectors: WordVectors;
}

function scorePhrase(asked: Phrase, trusted: Phrase, scales: Scales): number {
  if (asked.roots.length === 0) return 0;
  return ASKED_SHARE * coverOf(asked, trusted, scales) + (1 - ASKED_SHARE) * coverOf(trusted, asked, scales);
}

/** How much of one phrase the other one says too. */
function coverOf(phrase: Phrase, other: Phrase, { rarity, vectors }: Scales): number {
  let sum = 0;
  let total = 0;
  for (const [index, root] of phrase.roots.entries()) {
    const best = Math.max(
      0,
      ...other.roots.map((_, at) => likeness(wordAt(phrase, index), wordAt(other, at), vectors)),
    );
    const weight = Math.max(rarity(root), best > 0 ? 0.1 : 0);
    total += weight;
    sum += weight * best;
  }
  return total === 0 ? 0 : sum / total;
}

function holdAgainst(asked: Phrase, trusted: Phrase, vectors: WordVectors): NearPhrase {
  const missing = (from: Phrase, other: Phrase) =>
    from.words.filter(
      (word, at) =>
        isSubject(word) &&
        !other.words.some((_, index) => likeness(wordAt(from, at), wordAt(other, index), vectors) > 0),
    );
  return { text: trusted.text, saysAll: missing(asked, trusted).length === 0, extra: missing(trusted, asked) };
}

interface Word {
  word: string;
  root: string;
}

function wordAt({ words, roots }: Phrase, index: number): Word {
  return { word: words[index] ?? '', root: roots[index] ?? '' };
}

function likeness(a: Word, b: Word, vectors: WordVectors): number {
  if (a.root === b.root) return 1;
  if (isSameBeginning(a.root, b.root) || otherNamesOf(a.root).has(b.root)) return PREFIX_STRENGTH;
  const alike = vectors.similarity(a.word, b.word);
  return alike < LEAST_ALIKE ? 0 : alike * ALIKE_STRENGTH;
}
