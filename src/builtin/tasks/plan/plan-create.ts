import { unquote } from '../../../language/clean-text.ts';
import { extractWhen, type When } from '../../../language/when.ts';
import type { Command, Done } from '../command.ts';
import { ask, callOne, done, failed, replyAbout, type TaskContext, type Work } from '../context.ts';
import { readTask } from '../known-task.ts';
import { isEmptyTitle } from '../plain/add-forms.ts';
import { whenOfLast } from '../read/times.ts';
import { withoutRepeat } from './unable.ts';

/** Adds one task, or asks for its title. */
export function* planCreate(command: Command, context: TaskContext): Work<Done> {
  const { title, due, slots } = splitTitle(command, context);
  const complete = { ...command, slots };
  if (title === undefined)
    return ask(
      complete,
      command.isList ? 'I keep one list for you. What should I add to it?' : 'What should I add to your tasks?',
      { kind: 'fill', command: complete, missing: 'title' },
    );
  const { description } = slots;
  const outcome = yield* callOne({
    name: context.names.create ?? '',
    arguments: {
      title,
      ...(description !== undefined && { description }),
      ...(due !== undefined && { due_date: due }),
    },
  });
  if ('error' in outcome) return failed(complete, outcome);
  const task = readTask(outcome.result);
  const noted = description === undefined ? '' : ` Noted with it: ${description}.`;
  return { ...done(complete, task ? `${replyAbout('create', task, context)}${noted}` : 'Done.'), changed: true };
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
  const words = isFinal ? said : withoutRepeat(said);
  const found = words === undefined || isFinal ? undefined : extractWhen(words, zone);
  const cut = (found ? found.rest : words)
    ?.replace(/^[\s,;:-]*(?:(?:to|that i)\s+(?=\S))?/i, '')
    .replace(/,?\s+(?:and\s+)?it(?:'s| is)\W*$/i, '')
    .replace(/[\s,;:-]+$/, '');
  const bare = found && cut !== undefined ? unquote(cut) : cut;
  const title = bare === undefined || isEmptyTitle(bare) ? undefined : bare;
  const told = known === undefined ? undefined : extractWhen(known, zone);
  const when = found?.text ?? told?.text ?? known;
  const detail = found ? detailOf(found, found.text) : told && known !== undefined ? detailOf(told, known) : undefined;
  const description = others.description ?? detail;
  return {
    title,
    due: found?.due ?? told?.due,
    slots: {
      ...(title !== undefined && { title }),
      ...others,
      ...(when !== undefined && { when }),
      ...(description !== undefined && { description }),
    },
  };
}

const PERIOD = /\b(?:(?:early|late) )?(?:morning|afternoon|evening|night|lunch ?time|tonight)\b/i;
const IDLE = /^(?:(?:at|on|by|for|the|in|due|before|until|till|from|to|and|a|of|say|please|latest|or)\b|\W)*$/i;

/** The words of a time that are no part of its date: "after 5", "morning". */
function detailOf(when: When, said: string): string | undefined {
  const rest = said.toLowerCase().includes(when.text.toLowerCase()) ? said.replace(when.text, ' ').trim() : '';
  const left = IDLE.test(rest) ? '' : rest.replace(/^[\s,]+|[\s,]+$/g, '');
  const period = when.hasTime ? undefined : PERIOD.exec(when.text)?.[0];
  return left !== '' ? left : period;
}
