import { readFileSync } from 'node:fs';
import { agreeWith } from './agree.ts';
import { bestPath } from './best-path.ts';
import { intentFeatures } from './intent-features.ts';
import { type LinearTable, readTable, scoreColumns, softmax } from './linear-tables.ts';
import { LEARNED_INTENTS, type LearnedIntent, type Proposal, WORD_TAGS } from './proposal.ts';
import { splitWords } from './split-words.ts';
import { createLexicon, type Lexicon, prepareWords, tagFeatures } from './tag-features.ts';

/** Longer messages are read up to here: a command stands near the beginning, and the time stays bounded. */
const MAX_WORDS = 120;

export interface Proposer {
  propose(text: string): Proposal;
}

interface LearnedTables {
  lexicon: Lexicon;
  tags: LinearTable;
  transitions: Float32Array;
  intents: LinearTable;
}

/**
 * Proposes an intent and a role for each word from trained tables, which are read with the first text. The same text
 * always gets the same proposal.
 */
export function createProposer(): Proposer {
  let tables: LearnedTables | undefined;
  return {
    propose(text) {
      tables ??= loadTables();
      return propose(text, tables);
    },
  };
}

function propose(text: string, { lexicon, tags, transitions, intents }: LearnedTables): Proposal {
  const words = splitWords(text).slice(0, MAX_WORDS);
  const row = prepareWords(words, lexicon);
  const scores = words.map((_, at) => scoreColumns(tags, tagFeatures(row, at)));
  const path = bestPath(scores, transitions, WORD_TAGS.length).map((tag) => WORD_TAGS[tag] ?? 'none');
  const chances = softmax(scoreColumns(intents, intentFeatures(row, path)));
  const entries = LEARNED_INTENTS.map((name, index) => [name, chances[index] ?? 0]);
  const best = LEARNED_INTENTS[chances.indexOf(Math.max(...chances))] ?? 'unknown';
  const roles = agreeWith(best, path);
  return {
    // The list has a value for each intent, in their order.
    intents: Object.fromEntries(entries) as Record<LearnedIntent, number>,
    words: words.map((word, at) => ({ ...word, tag: roles[at] ?? 'none' })),
  };
}

interface Frames {
  frame_words: string[];
  known_words: string[];
  transitions: number[];
}

const FOLDER = new URL('./data/', import.meta.url);

function loadTables(): LearnedTables {
  const read = (name: string) => readFileSync(new URL(name, FOLDER));
  const frames: Frames = JSON.parse(read('learned-frames.json').toString('utf8'));
  return {
    lexicon: createLexicon(frames.frame_words, frames.known_words),
    transitions: Float32Array.from(frames.transitions),
    tags: readTable(read('learned-tags.bin'), WORD_TAGS.length),
    intents: readTable(read('learned-intents.bin'), LEARNED_INTENTS.length),
  };
}
