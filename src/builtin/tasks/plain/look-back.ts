import { form, readForm, toMessage } from '../../../language/forms.ts';
import type { Command } from '../command.ts';
import { cleanReference } from '../reference.ts';

const THAT = '(that|it|this|them|those|all of that|all of it|all of them|everything)';
const LAST =
  '([the|my|your|that|this] (last|latest|previous|recent) [one|change|thing|action|step|command|edit|update|operation|deletion|completion|move]|(that|this|the) (change|step|action|edit|update|deletion|completion|move))';
const BIT = '[[last] (bit|part|one)]';
const back = (action: Command['action'], others: Partial<Command> = {}): Command => {
  return { action, confidence: 0.95, evidence: 'plain', slots: {}, ...others };
};

const REDO = form(`(redo [${THAT}|${LAST}]|undo [the|that|my|this] [last] undo)`);
const UNDO = form(
  `(undo [${THAT}|${LAST}|what i just did|what you just did]|(revert|reverse|rollback|roll back|take back) [${THAT}|${LAST}]|(take|roll) ${THAT} back|go back (a|one) step)`,
);
const DISMISS = form(
  `[no [,]] ((never mind|nevermind|nvm) [,] [about] [${THAT}]|(forget|scratch|cancel|drop|scrap|ignore|disregard|skip|ditch) [about] ${THAT} ${BIT}|(don't|do not) (add|save|do) ${THAT}|don't|stop)`,
);
const KEEP = form(
  '[(never mind|nvm) [,]] (keep|leave) (it|that|them|everything) [as it is|as they are|as it was|alone|there|be]',
);
const RESTORE = form(
  '((bring|get|put) <ref> back , <reason>|(bring|get|put|have|i want|want) <ref> back [(on|onto|to|in) (my|the) list]|(restore|undelete|recover) <ref>)',
);

const OPENING =
  /^(?:(?:(?:no+|nope|nah)(?=[,.!]| (?:wait|sorry))|oh|wait|sorry|oops|whoops|hang on|hold on|ok|actually|hmm+)[\s,.!]+)+(?=\S)/i;

/** "undo", "scratch that", "never mind", "bring it back": words that look back and name no task to delete. */
export function readLookBack(words: string): Command | undefined {
  const message = toMessage(words.replace(OPENING, ''));
  if (readForm(REDO, message)) return back('undo', { isRedo: true });
  if (readForm(UNDO, message)) return back('undo');
  if (readForm(DISMISS, message)) return back('dismiss');
  if (readForm(KEEP, message)) return back('dismiss', { isMild: true });
  const restored = readForm(RESTORE, message)?.ref;
  const ref = restored === undefined ? undefined : cleanReference(restored);
  return ref === undefined ? undefined : back('restore', ref === '' ? {} : { slots: { ref } });
}
