import type { WordVectors } from '../../language/word-vectors.ts';
import { stem } from '../../language/words.ts';
import { actionOf, actionsOf } from './actions.ts';
import type { MessageSignals } from './message-signals.ts';
import { isContentWord, type ToolDocument } from './tool-document.ts';

/** How well a tool fits a message. */
export interface ToolScore {
  document: ToolDocument;
  total: number;
  measures: Measures;
}

/** Weights set by hand on public data and fixed since. Each measure is about 0 to 1, `lexical` about 0 to 10. */
const WEIGHTS = { lexical: 0.35, alignment: 3.5, name: 1, action: 0.4 } as const;
const LEAST_ALIKE = 0.4;

/** Scores every tool for a message. All tools are needed, because they are compared with each other. */
export function scoreTools(
  signals: MessageSignals,
  documents: readonly ToolDocument[],
  vectors: WordVectors,
): ToolScore[] {
  const rarity = rarityIn(documents);
  const likeness = likenessTo(signals, vectors);
  const quick = documents.map((document) => ({
    document,
    measures: {
      ...NOT_COMPARED,
      lexical: lexical(signals, document, rarity),
      action: actionMatch(signals, document),
    },
  }));
  const closest = new Set(quick.toSorted((a, b) => totalOf(b.measures) - totalOf(a.measures)).slice(0, MAX_COMPARED));
  return quick.map((score) => {
    const { document } = score;
    const measures = closest.has(score)
      ? {
          ...score.measures,
          alignment: alignment(signals, document, likeness),
          name: nameMatch(signals, document, likeness),
        }
      : score.measures;
    return { document, measures, total: totalOf(measures) };
  });
}

type Measures = Record<keyof typeof WEIGHTS, number>;

/** Comparing every word of the message with every word of a tool takes most of the time: only the closest tools get it. */
const MAX_COMPARED = 10;
const NOT_COMPARED = { alignment: 0, name: 0 };

function totalOf(measures: Measures): number {
  const names = Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[];
  return names.reduce((sum, name) => sum + WEIGHTS[name] * measures[name], 0);
}

function rarityIn(documents: readonly ToolDocument[]): (word: string) => number {
  return (word) => {
    const having = documents.filter((document) => document.weights.has(word)).length;
    return Math.log(1 + (documents.length - having + 0.5) / (having + 0.5));
  };
}

/** BM25 without lengths: counts shared words, rare ones more. */
function lexical({ stems }: MessageSignals, { weights }: ToolDocument, rarity: (word: string) => number): number {
  let sum = 0;
  for (const word of stems) {
    const weight = weights.get(word);
    if (weight !== undefined) sum += rarity(word) * ((weight * 2.2) / (weight + 1.2));
  }
  return sum;
}

/** For each word of the message, the most similar word of the tool. An idiom counts as one word, by the best of its words. */
function alignment({ content, idioms }: MessageSignals, document: ToolDocument, likeness: Likeness): number {
  const count = content.length + idioms.length;
  const best = new Float32Array(count + idioms.reduce((sum, words) => sum + words.length - 1, 0));
  for (const [word, strength] of document.strengths) {
    const alike = likeness(word);
    for (let at = 0; at < best.length; at++) best[at] = Math.max(best[at] ?? 0, (alike[at] ?? 0) * strength);
  }
  const plain = [...best.slice(0, content.length)];
  let at = content.length;
  const meant = idioms.map((words) => {
    at += words.length;
    return Math.max(0, ...best.slice(at - words.length, at));
  });
  const sum = [...plain, ...meant].reduce((total, value) => total + (value > LEAST_ALIKE ? value : 0), 0);
  return sum / Math.max(1, count);
}

/** The similarity of a word to each word of the message, computed once per word. */
type Likeness = (word: string) => Float32Array;

function likenessTo({ content, idioms }: MessageSignals, vectors: WordVectors): Likeness {
  const known = new Map<string, Float32Array>();
  const said = [...content, ...idioms.flat()];
  return (word) => {
    const found = known.get(word) ?? Float32Array.from(said, (other) => vectors.similarity(word, other));
    known.set(word, found);
    return found;
  };
}

/** The share of the tool's name that the message mentions. */
function nameMatch({ stems }: MessageSignals, { name }: ToolDocument, likeness: Likeness): number {
  const content = name.filter(isContentWord);
  const objects = content.filter((word) => actionOf(word) === undefined && word.length > 1 && !/^\d+$/.test(word));
  const words = objects.length > 0 ? objects : content;
  const known = words.map((word) => (stems.has(stem(word)) ? 1 : Math.max(0, ...likeness(word))));
  return known.reduce((sum, value) => sum + value, 0) / Math.max(1, words.length);
}

/** 1 if the tool does what the message requests first, -1 if it does something else. */
function actionMatch({ action, actions }: MessageSignals, { name, description }: ToolDocument): number {
  const own = actionsOf(name);
  const kinds = own.size > 0 ? own : actionsOf(description.slice(0, 2).map((word) => word.replace(/s$/, '')));
  if (kinds.size === 0 || action === undefined) return 0;
  if (kinds.has(action)) return 1;
  // "what is 8 oz in grams" asks for a sum.
  if (action === 'read' && kinds.has('calculate')) return 1;
  return [...kinds].some((kind) => actions.has(kind)) ? 0.5 : -1;
}
