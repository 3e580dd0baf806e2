import type { MarkKind, MessageLabel } from '../../../../src/builtin/reader/labels.ts';
import { readSentenceLines } from '../../eval-outside.ts';
import type { MarkedRow, Piece } from './read-marked.ts';

type Kinds = Readonly<Record<string, MarkKind>>;
const SHOWN: Kinds = { ref: 'show', when: 'show', filter: 'show' };

/** Sentences of outside authors that were learnt from, as marked messages. Rows whose slots are not in the text are left out. */
export function readSentences(sets: readonly string[]): MarkedRow[] {
  return sets.flatMap((set) => readSentenceLines(`2026-11-${set}`).flatMap((line) => toRow(line, set) ?? []));
}

function toRow(line: string, file: string): MarkedRow | undefined {
  const [intent = '', text = '', written = ''] = line.split('\t');
  const slots = new Map(written.split(';').flatMap((part) => (part.includes('=') ? [splitSlot(part)] : [])));
  const plan = planOf(intent, slots);
  if (!plan) return undefined;
  const pieces = cut(text, slots, plan.kinds);
  const ref = slots.get('ref');
  return (
    pieces && { labels: [plan.label], pieces, tasks: ref === undefined || plan.label === 'show' ? [] : [ref], file }
  );
}

function splitSlot(part: string): [string, string] {
  const at = part.indexOf('=');
  return [part.slice(0, at).trim(), part.slice(at + 1).trim()];
}

function planOf(intent: string, slots: ReadonlyMap<string, string>): { label: MessageLabel; kinds: Kinds } | undefined {
  if (intent === 'create_task') return { label: 'add', kinds: { title: 'add', when: 'when', description: 'text' } };
  if (intent === 'list_tasks') return { label: 'show', kinds: SHOWN };
  if (intent === 'complete_task') return { label: 'done', kinds: { ref: 'done', except: 'except' } };
  if (intent === 'delete_task') return { label: 'del', kinds: { ref: 'del', except: 'except' } };
  if (intent === 'undo') return { label: 'undo', kinds: {} };
  if (intent === 'get_help') return { label: 'help', kinds: {} };
  if (intent === 'unknown') return { label: 'other', kinds: {} };
  if (intent !== 'update_task') return { label: 'unclear', kinds: {} };
  if (slots.has('new_title') || slots.has('title'))
    return { label: 'ren', kinds: { ref: 'ren', new_title: 'to', title: 'to', when: 'when' } };
  if (slots.has('when')) return { label: 'move', kinds: { ref: 'move', when: 'when' } };
  return slots.has('description') ? { label: 'note', kinds: { ref: 'note', description: 'text' } } : undefined;
}

/** Finds the words of each slot in the text; undefined if one is missing or two overlap. */
function cut(text: string, slots: ReadonlyMap<string, string>, kinds: Kinds): Piece[] | undefined {
  const found: { start: number; end: number; tag: MarkKind }[] = [];
  for (const [name, words] of slots) {
    const tag = kinds[name];
    if (!tag) continue;
    const start = text.toLowerCase().indexOf(words.toLowerCase());
    if (start < 0) return undefined;
    found.push({ start, end: start + words.length, tag });
  }
  found.sort((a, b) => a.start - b.start);
  const pieces: Piece[] = [];
  let from = 0;
  for (const { start, end, tag } of found) {
    if (start < from) return undefined;
    pieces.push({ text: text.slice(from, start), tag: 'none' }, { text: text.slice(start, end), tag });
    from = end;
  }
  return [...pieces, { text: text.slice(from), tag: 'none' as const }].filter((piece) => piece.text !== '');
}
