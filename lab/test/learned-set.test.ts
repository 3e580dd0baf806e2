import { describe, expect, it } from 'vitest';
import { splitWords } from '../../src/builtin/reader/word-pieces.ts';
import { readSentences } from '../../src/builtin/sentences-fixture.ts';
import { findData, hasData } from '../scripts/find-data.ts';
import { generate, readTemplates } from '../scripts/learned/make-set.ts';
import { LEARNED_INTENTS, WORD_TAGS } from '../scripts/learned/template-labels.ts';

describe.skipIf(!hasData('intents/train.jsonl'))('the templates of the training set', () => {
  const templates = readTemplates();
  const examples = generate(1, 2);

  it('has templates for every intent, in several voices', () => {
    expect(new Set(templates.map(({ intent }) => intent))).toEqual(new Set(LEARNED_INTENTS));
    for (const intent of LEARNED_INTENTS) {
      const voices = new Set(templates.filter((template) => template.intent === intent).map(({ file }) => file));
      expect([intent, voices.size >= 5]).toEqual([intent, true]);
    }
  });

  it('is the same for the same seed, and differs for another', () => {
    expect(generate(1, 2)).toEqual(examples);
    expect(generate(2, 2)).not.toEqual(examples);
  });

  it('has a known role for every word, and each role in some sentence', () => {
    for (const { text, tags } of examples) expect(tags?.length).toBe(splitWords(text).length);
    expect(new Set(examples.flatMap(({ tags }) => tags ?? []))).toEqual(new Set(WORD_TAGS));
  });

  it('holds no sentence of the held-out file', () => {
    const heldOut = new Set(readSentences(findData('sentences-heldout.tsv')).map(({ text }) => text.toLowerCase()));
    const lines = templates.map(({ text }) => text.toLowerCase()).filter((text) => / .* /.test(text));
    expect(lines.filter((text) => heldOut.has(text))).toEqual([]);
  });
});
