import { actionOf, actionsOf } from './actions.ts';
import { argumentFit } from './argument-fit.ts';
import type { MessageFacts } from './message-facts.ts';
import { isContentWord, type ToolDocument } from './tool-document.ts';
import { cosine, VECTOR_SIZE, type WordVectors } from './word-vectors.ts';
import { stem } from './words.ts';

/** How well one tool fits a message, by each of the ways to look at it. */
export interface ToolScore {
  document: ToolDocument;
  total: number;
}

/** Set by hand on public data and left alone since; each measure is about 0 to 1, `lexical` about 0 to 10. */
const WEIGHTS = { lexical: 0.35, topic: 3, alignment: 3.5, name: 1, action: 0.4, fit: 0.8 } as const;
const LEAST_ALIKE = 0.4;

/** Scores every tool for a message; the tools are compared with each other, so all are needed. */
export function scoreTools(facts: MessageFacts, documents: readonly ToolDocument[], vectors: WordVectors): ToolScore[] {
  const rarity = rarityIn(documents);
  const nameCounts = countNames(documents);
  const likeness = likenessTo(facts, vectors);
  const question = sumVectors(
    facts.words.filter(isContentWord).map((word) => [word, 1] as const),
    vectors,
  );
  return documents.map((document) => {
    const measures = {
      lexical: lexical(facts, document, rarity),
      topic: cosine(question, topicOf(document, vectors)),
      alignment: alignment(facts, document, likeness),
      name: nameMatch(facts, document, { nameCounts, likeness }),
      action: actionMatch(facts, document),
      fit: argumentFit(facts, document.tool.inputSchema),
    };
    const names = Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[];
    return { document, total: names.reduce((sum, name) => sum + WEIGHTS[name] * measures[name], 0) };
  });
}

function rarityIn(documents: readonly ToolDocument[]): (word: string) => number {
  return (word) => {
    const having = documents.filter((document) => document.weights.has(word)).length;
    return Math.log(1 + (documents.length - having + 0.5) / (having + 0.5));
  };
}

/** BM25 without lengths: shared words, rare ones more. */
function lexical({ stems }: MessageFacts, { weights }: ToolDocument, rarity: (word: string) => number): number {
  let sum = 0;
  for (const word of stems) {
    const weight = weights.get(word);
    if (weight !== undefined) sum += rarity(word) * ((weight * 2.2) / (weight + 1.2));
  }
  return sum;
}

function topicOf({ name, description, arguments: args }: ToolDocument, vectors: WordVectors): Float32Array {
  const weighted = [
    name.map((word) => [word, 2] as const),
    description.map((word) => [word, 1] as const),
    args.map((word) => [word, 0.5] as const),
  ];
  return sumVectors(
    weighted.flat().filter(([word]) => isContentWord(word)),
    vectors,
  );
}

function sumVectors(words: readonly (readonly [string, number])[], vectors: WordVectors): Float32Array {
  const sum = new Float32Array(VECTOR_SIZE);
  for (const [word, weight] of words) {
    const vector = vectors.vectorOf(word);
    if (vector) for (let at = 0; at < VECTOR_SIZE; at++) sum[at] = (sum[at] ?? 0) + weight * (vector[at] ?? 0);
  }
  return sum;
}

/** For each word of the message, the word of the tool that is most alike. */
function alignment({ content }: MessageFacts, document: ToolDocument, likeness: Likeness): number {
  const best = new Float32Array(content.length);
  for (const [word, strength] of document.strengths) {
    const alike = likeness(word);
    for (let at = 0; at < best.length; at++) best[at] = Math.max(best[at] ?? 0, (alike[at] ?? 0) * strength);
  }
  const sum = best.reduce((total, value) => total + (value > LEAST_ALIKE ? value : 0), 0);
  return sum / Math.max(1, content.length);
}

/** How alike a word is to each word of the message; worked out once for each word. */
type Likeness = (word: string) => Float32Array;

function likenessTo({ content }: MessageFacts, vectors: WordVectors): Likeness {
  const known = new Map<string, Float32Array>();
  return (word) => {
    const found = known.get(word) ?? Float32Array.from(content, (other) => vectors.similarity(word, other));
    known.set(word, found);
    return found;
  };
}

/** How much of what the name is about the message mentions; words that all names share count little. */
function nameMatch(
  facts: MessageFacts,
  { name }: ToolDocument,
  { nameCounts, likeness }: { nameCounts: ReadonlyMap<string, number>; likeness: Likeness },
): number {
  const content = name.filter(isContentWord);
  const objects = content.filter((word) => actionOf(word) === undefined && word.length > 1 && !/^\d+$/.test(word));
  const words = objects.length > 0 ? objects : content;
  let sum = 0;
  let total = 0;
  for (const word of words) {
    const weight = objects.length > 0 ? 1 / (nameCounts.get(word) ?? 1) + 0.15 : 1;
    total += weight;
    sum += weight * (facts.stems.has(stem(word)) ? 1 : Math.max(0, ...likeness(word)));
  }
  return total === 0 ? 0 : sum / total;
}

function countNames(documents: readonly ToolDocument[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { name } of documents) for (const word of new Set(name)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** 1 when the tool does what the message wants first, -1 when it does something else. */
function actionMatch({ action, actions }: MessageFacts, { name, description }: ToolDocument): number {
  const own = actionsOf(name);
  const kinds = own.size > 0 ? own : actionsOf(description.slice(0, 2).map((word) => word.replace(/s$/, '')));
  if (kinds.size === 0 || action === undefined) return 0;
  if (kinds.has(action)) return 1;
  return [...kinds].some((kind) => actions.has(kind)) ? 0.5 : -1;
}
