import { DURATION, readDuration, shiftDue } from '../../../language/durations.ts';
import { extractWhen, mergeDue } from '../../../language/when.ts';
import type { Zone } from '../../../language/zoned-time.ts';
import type { JsonObject } from '../../../schema/json.ts';
import type { ChangeCommand } from '../command.ts';
import type { KnownTask } from '../known-task.ts';

/** The arguments of the call that makes a change; undefined if the new date cannot be computed. */
export function changeArguments(command: ChangeCommand, task: KnownTask, zone: Zone): JsonObject | undefined {
  const { action, slots } = command;
  if (action !== 'update') return { task_id: task.id };
  const due = newDue(command, task, zone);
  if (due === undefined && slots.when !== undefined) return undefined;
  if (slots.clear === 'due_time' && task.due_date === undefined) return undefined;
  return {
    task_id: task.id,
    ...(slots.title !== undefined && { title: slots.title }),
    ...(slots.description !== undefined && { description: slots.description }),
    ...(due !== undefined && { due_date: due }),
    ...(slots.is_completed === false && { is_completed: false }),
    ...clearing(slots.clear, task),
  };
}

/** A due date without its time is another due date. */
function clearing(clear: ChangeCommand['slots']['clear'], { due_date }: KnownTask): JsonObject {
  if (clear === undefined) return {};
  return clear === 'due_time' ? { due_date: (due_date ?? '').slice(0, 10) } : { clear: [clear] };
}

function newDue({ shift, slots: { when } }: ChangeCommand, task: KnownTask, zone: Zone): string | undefined {
  if (when === undefined) return undefined;
  const found = shift === undefined ? extractWhen(when, zone) : undefined;
  if (shift === undefined) return found && mergeDue(task.due_date, found, zone);
  const time = readDuration(when);
  return time && shiftDue(task.due_date, { ...time, count: shift === 'earlier' ? -time.count : time.count }, zone);
}

/** "an hour later" counts from the due date, not from now. */
const BY_LENGTH = new RegExp(
  String.raw`^(?:by\s+)?(${DURATION})\s+(later|earlier|sooner|forward|back|before|after)$`,
  'i',
);

/** "change the report to Friday" moves it; a time that cannot be read leaves the change open. */
export function readyUpdate(command: ChangeCommand, zone: Zone): ChangeCommand {
  const { title, when: said, ...others } = command.slots;
  const [, length, way = ''] = (command.shift === undefined ? BY_LENGTH.exec(said ?? '') : null) ?? [];
  if (length !== undefined)
    return {
      ...command,
      slots: { ...command.slots, when: length },
      shift: /later|back|after/i.test(way) ? 'later' : 'earlier',
    };
  // "make it 3": a bare number is an hour.
  const when = said !== undefined && /^(?:[1-9]|1\d|2[0-4])$/.test(said) ? `at ${said}` : said;
  const time = title === undefined ? undefined : timeIn(title, zone);
  if (time !== undefined) return { ...command, slots: { ...others, when: time } };
  if (when !== undefined && command.shift === undefined && extractWhen(when, zone) === undefined)
    return { ...command, slots: others, missing: 'change' };
  if (when === undefined) return command;
  // "Saturday and the other one to Sunday": words beside the time may be another order.
  const rest = command.shift === undefined ? (extractWhen(when, zone)?.rest ?? '') : '';
  const isDoubtful = command.evidence === 'likely' && /\b(?:and|but|other|then)\b/i.test(rest);
  return { ...command, slots: { ...command.slots, when }, ...(isDoubtful && { evidence: 'unlikely' }) };
}

/** "be the 20th now", "4pm, holiday hours", "3": a time, with or without a remark, is no new title. */
function timeIn(title: string, zone: Zone): string | undefined {
  const bare = title
    .replace(/^(?:be|for|(?:due )?(?:time|date)(?: is)?)\s+/i, '')
    .replace(/(?:\s+(?:now|instead)|,?\s+(?:at\s+)?(?:the\s+)?same (?:time|hour))+$/i, '');
  const [head = ''] = bare.split(/,\s+/);
  const isHour = /^(?:\d{1,2}(?::\d\d)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)$/i.test(head);
  const clock = isHour ? `at ${head}` : head;
  return [bare, clock].find((words) => extractWhen(words, zone)?.rest === '');
}
