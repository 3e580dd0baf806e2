import { unquote } from '../../../language/clean-text.ts';
import { type LearnedIntent, type Proposal, spansOf, type WordTag } from '../../learned/proposal.ts';
import { cleanReference } from './clean-reference.ts';
import type { Slots, TaskFrame } from './frame.ts';
import { isEmptyTitle } from './frame-create.ts';
import { listSlots } from './frame-list.ts';

/** The frame that the learned tags of a clause describe; undefined if a part is missing or the act is no command. */
export function learnedFrame(clause: string, intent: LearnedIntent, { words }: Proposal): TaskFrame | undefined {
  const spans = spansOf(clause, words);
  const textOf = (tag: WordTag) => spans.filter((span) => span.tag === tag).map(({ text }) => unquote(text));
  const [title = '', ref = '', fresh = ''] = (['title', 'ref', 'new'] as const).map((tag) => textOf(tag).join(' '));
  const when = textOf('when')
    .at(-1)
    ?.replace(/^(?:(?:by|on|at|for|until|to)\s+)+/i, '');
  const except = textOf('except').join(' and ');
  const named: Slots = {
    ...(cleanReference(ref) !== '' && { ref: cleanReference(ref) }),
    ...(except !== '' && { except }),
  };
  switch (intent) {
    case 'list':
      return { action: 'list', sure: false, slots: listSlots(clause) };
    case 'create':
      // A time that stays in the title is read with it.
      return isEmptyTitle(title) || textOf('title').length > 1
        ? undefined
        : { action: 'create', sure: false, slots: { title: when === undefined ? title : `${title} ${when}` } };
    case 'complete':
    case 'delete':
      return named.ref === undefined ? undefined : { action: intent, sure: false, slots: named };
    case 'reopen':
      return named.ref === undefined
        ? undefined
        : { action: 'update', sure: false, slots: { ref: named.ref, is_completed: false } };
    case 'update':
      return learnedUpdate(named, { title: fresh || title, when });
    default:
      return undefined;
  }
}

function learnedUpdate(
  named: Slots,
  { title, when }: { title: string; when: string | undefined },
): TaskFrame | undefined {
  if (named.ref === undefined || named.except !== undefined) return undefined;
  if (when !== undefined && title === '') return { action: 'update', sure: false, slots: { ref: named.ref, when } };
  if (title !== '' && when === undefined) return { action: 'update', sure: false, slots: { ref: named.ref, title } };
  return undefined;
}
