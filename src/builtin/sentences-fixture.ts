import { readFileSync } from 'node:fs';
import { createReader } from './understanding-fixture.ts';

export interface Sentence {
  intent: string;
  text: string;
  slots: Record<string, string>;
}

/** Reads lines of an intent, a message and its slots (`title=call mom;when=tomorrow`), with a tab between them. */
export function readSentences(file: URL): Sentence[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n').slice(1);
  return lines.map((line) => {
    const [intent = '', text = '', slots = ''] = line.split('\t');
    const pairs = slots
      .split(';')
      .filter(Boolean)
      .map((pair) => pair.split('=', 2));
    return { intent, text, slots: Object.fromEntries(pairs) };
  });
}

/** Counts deletions for messages that request none, from a user whose tasks match every sentence. */
export function countUnaskedDeletions(sentences: readonly Sentence[]): number {
  const titles = [
    ...new Set(sentences.flatMap(({ slots }) => [slots.title, slots.ref]).filter((title) => title !== undefined)),
  ];
  const read = createReader(titles);
  const others = sentences.filter((sentence) => sentence.intent !== 'delete_task');
  return others.filter(({ text }) => read(text).calls.some((call) => call.name === 'delete_task')).length;
}
