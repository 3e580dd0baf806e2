import type { MarkKind, MessageLabel } from '../../../../src/builtin/reader/labels.ts';
import { splitWords } from '../../../../src/builtin/reader/word-pieces.ts';
import type { LearnedExample } from '../make-set.ts';
import type { Random } from '../random.ts';
import type { LearnedIntent, WordTag } from '../template-labels.ts';
import { type Example, joinPieces, type Piece } from './read-marked.ts';

type Kinds = Partial<Record<WordTag, MarkKind>>;

/** Kinds of marks for the roles of an older set, by what the sentence asks for. */
const KINDS: Partial<Record<LearnedIntent, { label: MessageLabel; kinds: Kinds }>> = {
  create: { label: 'add', kinds: { title: 'add', when: 'when', description: 'text' } },
  list: { label: 'show', kinds: { filter: 'show', ref: 'show', when: 'show' } },
  complete: { label: 'done', kinds: { ref: 'done', filter: 'done', except: 'except' } },
  delete: { label: 'del', kinds: { ref: 'del', filter: 'del', except: 'except' } },
  reopen: { label: 'reopen', kinds: { ref: 'reopen', filter: 'reopen', except: 'except' } },
  undo: { label: 'undo', kinds: {} },
  confirm: { label: 'yes', kinds: {} },
  deny: { label: 'no', kinds: {} },
  cancel: { label: 'cancel', kinds: {} },
  keep: { label: 'chat', kinds: {} },
  help: { label: 'help', kinds: {} },
  clarify: { label: 'unclear', kinds: {} },
  unknown: { label: 'other', kinds: {} },
};

/** Shares of words that count as words of the user's tasks: names of tasks nearly always, other words hardly ever. */
const KNOWN_SHARE = { ref: 0.85, other: 0.03 };
/** Share of sentences to somebody whose tasks are not known. */
const STRANGER_SHARE = 0.3;

/** A sentence of the templates or of the public sets with the roles of the reader; undefined where they do not fit. */
export function toExample(row: LearnedExample, random: Random): Example | undefined {
  const plan = KINDS[row.intent] ?? planChange(row);
  if (!plan) return undefined;
  if (!row.segments) return toPublic(row.text, plan.label);
  const pieces: Piece[] = row.segments.map(({ text, tag }) => ({ text, tag: plan.kinds[tag] ?? 'none' }));
  const { words, roles } = joinPieces(pieces);
  return { words, roles, labels: [plan.label], flags: drawFlags(roles, random) };
}

/** Public rows name no words; only those that ask for something else have no marks for sure. */
function toPublic(text: string, label: MessageLabel): Example {
  const words = splitWords(text).map((word) => word.text);
  const none = words.map(() => 0);
  return { words, labels: [label], flags: none, ...(label === 'other' && { roles: none }) };
}

/** A change is named by what it brings. */
function planChange({ intent, segments = [] }: LearnedExample): { label: MessageLabel; kinds: Kinds } | undefined {
  if (intent !== 'update' && intent !== 'correct') return undefined;
  const has = (tag: WordTag) => segments.some((segment) => segment.tag === tag);
  if (has('new')) return { label: 'ren', kinds: { ref: 'ren', new: 'to' } };
  if (has('when')) return { label: 'move', kinds: { ref: 'move', filter: 'move', when: 'when' } };
  if (has('description')) return { label: 'note', kinds: { ref: 'note', description: 'text' } };
  return undefined;
}

function drawFlags(roles: readonly number[], random: Random): number[] {
  const isStranger = random.chance(STRANGER_SHARE);
  const isKnown = random.chance(KNOWN_SHARE.ref);
  return roles.map((role) => {
    if (isStranger) return 0;
    const isRef = role > 0 && REF_ROLES.has((role - 1) >> 1);
    return (isRef ? isKnown && random.chance(0.9) : random.chance(KNOWN_SHARE.other)) ? 1 : 0;
  });
}

/** Places in MARK_KINDS of the kinds that name a task of the user. */
const REF_ROLES: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 6, 7, 11, 12]);
