import { unquote } from '../../../language/clean-text.ts';
import { extractWhen } from '../../../language/when.ts';
import { isEmptyTitle } from '../frames/frame-create.ts';
import { readTask } from '../known-task.ts';
import { whenOfLast } from '../read-noted.ts';
import {
  ask,
  type Command,
  callOne,
  type Done,
  done,
  failed,
  replyAbout,
  type TaskContext,
  type Work,
} from '../task-context.ts';
import { ONCE, readRepeat } from './unable.ts';

/** Adds one task, or asks for its title. */
export function* planCreate(command: Command, context: TaskContext): Work<Done> {
  const { title, due, slots, isRepeated } = splitTitle(command, context);
  const complete = { ...command, slots };
  if (title === undefined)
    return ask(
      complete,
      command.isList ? 'I keep one list for you. What should I add to it?' : 'What should I add to your tasks?',
      { kind: 'fill', command: complete, missing: 'title' },
    );
  const outcome = yield* callOne({
    name: context.names.create ?? '',
    arguments: {
      title,
      ...(slots.description !== undefined && { description: slots.description }),
      ...(due !== undefined && { due_date: due }),
    },
  });
  if ('error' in outcome) return failed(complete, outcome);
  const task = readTask(outcome.result);
  const once = isRepeated ? ` ${ONCE}` : '';
  return done(complete, task ? `${replyAbout('create', task, context)}${once}` : 'Done.');
}

/** "…, same day": the day of the task that was changed last. */
const SAME = /,?\s+(?:(?:at|on|for)\s+)?(?:the\s+)?same (time|day|date)[\s.!]*$/i;

/** The title without its time words, and what they mean. */
function splitTitle(command: Command, { zone, memory }: Pick<TaskContext, 'zone' | 'memory'>) {
  const { title: written, when: stated, ...others } = command.slots;
  const same = command.isQuoted ? null : SAME.exec(written ?? '');
  const said = same ? written?.slice(0, same.index) : written;
  const known = same ? whenOfLast(memory, String(same[1])) : stated;
  const isFinal = said === undefined || command.isQuoted === true;
  const { title: words, isRepeated: isInTitle } = isFinal ? { title: said, isRepeated: false } : readRepeat(said);
  const isRepeated = isInTitle || readRepeat(` ${known ?? ''}`).isRepeated;
  const found = words === undefined || isFinal ? undefined : extractWhen(words, zone);
  const cut = (found ? found.rest : words)
    ?.replace(/^[\s,;:-]*(?:(?:to|that i)\s+(?=\S))?/i, '')
    .replace(/,?\s+(?:and\s+)?it(?:'s| is)\W*$/i, '')
    .replace(/[\s,;:-]+$/, '');
  const bare = found && cut !== undefined ? unquote(cut) : cut;
  const title = bare === undefined || isEmptyTitle(bare) ? undefined : bare;
  const told = known === undefined ? undefined : extractWhen(known, zone);
  const when = found?.text ?? told?.text ?? known;
  const due = found?.due ?? told?.due;
  return {
    title,
    due,
    isRepeated,
    slots: { ...(title !== undefined && { title }), ...others, ...(when !== undefined && { when }) },
  };
}
