import {
  beginOf,
  MARK_KINDS,
  type MarkKind,
  MESSAGE_LABELS,
  type MessageLabel,
} from '../../../../src/builtin/reader/labels.ts';
import { splitWords } from '../../../../src/builtin/reader/word-pieces.ts';
import { readParts } from '../../find-data.ts';

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

/** A piece of a message; `none` is outside of every mark. */
export interface Piece {
  text: string;
  tag: MarkKind | 'none';
}

/** A message with its truth. Without `roles` only the labels are known. */
export interface Example {
  words: string[];
  labels: MessageLabel[];
  roles?: number[];
  /** For each word 1 if it is a word of one of the user's tasks. */
  flags: number[];
}

/** Joins pieces; a word gets the role of the piece that it begins in. */
export function joinPieces(pieces: readonly Piece[]): { text: string; words: string[]; roles: number[] } {
  const text = pieces.map((piece) => piece.text).join('');
  const ends: number[] = [];
  let end = 0;
  for (const piece of pieces) {
    end += piece.text.length;
    ends.push(end);
  }
  const words = splitWords(text);
  let last = -1;
  const roles = words.map(({ start }) => {
    const at = ends.findIndex((limit) => start < limit);
    const tag = pieces[at]?.tag ?? 'none';
    const isFirst = at !== last;
    last = at;
    return tag === 'none' ? 0 : beginOf(tag) + (isFirst ? 0 : 1);
  });
  return { text, words: words.map((word) => word.text), roles };
}
