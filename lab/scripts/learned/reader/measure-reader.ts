/**
 * Measures a trained reader on marked messages: `node lab/scripts/learned/reader/measure-reader.ts [folder] [17d] [--misses]`.
 * The folder holds reader.bin, reader.json and the kernel; without one the shipped reader is measured.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MESSAGE_LABELS } from '../../../../src/builtin/reader/labels.ts';
import { createReader, readFiles } from '../../../../src/builtin/reader/reader.ts';
import type { Mark, Reading } from '../../../../src/builtin/reader/reading.ts';

import { type MarkedRow, readMarked } from './read-marked.ts';

const [folder = '', part = '17d'] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const showsMisses = process.argv.includes('--misses');
/** A message that is too long to be read. */
const NOTHING: Reading = {
  // Every label has a value.
  labels: Object.fromEntries(MESSAGE_LABELS.map((name) => [name, 0])) as Reading['labels'],
  marks: [],
  chance: 0,
};
const reader = createReader(readFiles(folder === '' ? undefined : pathToFileURL(`${resolve(folder)}/`)));
const rows = readMarked(part);
const results = rows.map((row) => {
  const text = row.pieces.map((piece) => piece.text).join('');
  const reading = reader.read(text, row.tasks) ?? NOTHING;
  return {
    row,
    text,
    reading,
    isLabelled: labelsOf(reading) === [...row.labels].sort().join('+'),
    isMarked: isSame(row, reading),
  };
});
const share = (count: number, of = results.length) => `${((100 * count) / of).toFixed(1)} %`;
if (showsMisses)
  for (const { row, text, reading, isLabelled, isMarked } of results)
    if (!isLabelled || !isMarked)
      console.log(
        `${row.labels.join('+')} | ${labelsOf(reading)}\n   ${write(row)}\n   ${writeMarks(text, reading.marks)}  ${reading.chance.toFixed(2)}`,
      );
console.log(
  `${results.length} messages: labels ${share(results.filter(({ isLabelled }) => isLabelled).length)}, ` +
    `marks ${share(results.filter(({ isMarked }) => isMarked).length)}, both ${share(results.filter((one) => one.isLabelled && one.isMarked).length)}`,
);
for (const limit of [0.5, 0.7, 0.8, 0.9, 0.95]) {
  const sure = results.filter(({ reading }) => reading.chance >= limit);
  console.log(
    `chance ≥ ${limit}: ${share(sure.length)} of messages, both right ${share(sure.filter((one) => one.isLabelled && one.isMarked).length, sure.length)}`,
  );
}

function labelsOf({ labels }: Reading): string {
  const names = MESSAGE_LABELS.filter((name) => labels[name] >= 0.5);
  const best = MESSAGE_LABELS.reduce((a, b) => (labels[b] > labels[a] ? b : a));
  return (names.length > 0 ? [...names] : [best]).sort().join('+');
}

function isSame({ pieces }: MarkedRow, { marks }: Reading): boolean {
  const bare = (text: string) =>
    text
      .toLowerCase()
      .replace(/^(?:the|my|a|an|to|on|at|for|by|in)\s+/g, '')
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  const wanted = pieces.filter(({ tag }) => tag !== 'none').map(({ text, tag }) => `${tag}:${bare(text)}`);
  return wanted.join('|') === marks.map(({ kind, text }) => `${kind}:${bare(text)}`).join('|');
}

function write({ pieces }: MarkedRow): string {
  return pieces
    .map(({ text, tag }) => (tag === 'none' ? text : `<${tag}:${text}>`))
    .join('')
    .replaceAll('\n', '\\n');
}

function writeMarks(text: string, marks: readonly Mark[]): string {
  let [from, written] = [0, ''];
  for (const { kind, start, end } of marks) {
    written += `${text.slice(from, start)}<${kind}:${text.slice(start, end)}>`;
    from = end;
  }
  return (written + text.slice(from)).replaceAll('\n', '\\n');
}
