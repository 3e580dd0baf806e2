import { MARK_KINDS, type MarkKind, MESSAGE_LABELS, type MessageLabel } from '../../../../src/builtin/reader/labels.ts';
import { readParts } from '../../find-data.ts';
import type { Piece } from './example.ts';

/** A message that was marked by hand, with the titles of the user's tasks. */
export interface MarkedRow {
  labels: MessageLabel[];
  pieces: Piece[];
  tasks: string[];
  file: string;
}

/** Reads parts of marked.txt: groups with a line `# tasks: a | b (done)`, then lines of labels, a tab and the marked message. */
export function readMarked(name?: string): MarkedRow[] {
  const parts = [...readParts('marked.txt')].filter(([part]) => name === undefined || part === name);
  return parts.flatMap(([part, text]) => readPart(text, part));
}

function readPart(text: string, file: string): MarkedRow[] {
  let tasks: string[] = [];
  return text.split('\n').flatMap((line, index) => {
    const [, list] = /^# tasks:(.*)$/.exec(line) ?? [];
    if (list !== undefined)
      tasks = list
        .split('|')
        .map((title) => title.replace(/\(done\)\s*$/, '').trim())
        .filter(Boolean);
    if (line.trim() === '' || line.startsWith('#')) return [];
    const [names = '', marked = ''] = line.split('\t');
    const labels = names.split('+').map((name) => toLabel(name, `${file}:${index + 1}`));
    return [{ labels, pieces: readPieces(marked.replaceAll('\\n', '\n'), `${file}:${index + 1}`), tasks, file }];
  });
}

function toLabel(name: string, where: string): MessageLabel {
  const label = MESSAGE_LABELS.find((known) => known === name.trim());
  if (!label) throw new Error(`${where}: unknown label ${name}`);
  return label;
}

function readPieces(marked: string, where: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of marked.matchAll(/<(\w+):([^<>]*)>/g)) {
    const [whole, kind = '', text = ''] = match;
    if (!isKind(kind)) throw new Error(`${where}: unknown kind ${kind}`);
    if (match.index > from) pieces.push({ text: marked.slice(from, match.index), tag: 'none' });
    pieces.push({ text, tag: kind });
    from = match.index + whole.length;
  }
  if (from < marked.length) pieces.push({ text: marked.slice(from), tag: 'none' });
  return pieces;
}

function isKind(name: string): name is MarkKind {
  return MARK_KINDS.some((kind) => kind === name);
}
