import { quoteAll } from '../../reply.ts';
import type { KnownTask } from '../known-task.ts';
import { resolveReference } from '../resolve-reference.ts';
import { type Command, type Done, done, failed, lookUpTasks, type TaskContext, type Work } from '../task-context.ts';
import { planList } from './plan-list.ts';

/** Answers a question about a task from the list; changes nothing. */
export function* planLookup(command: Command, context: TaskContext): Work<Done> {
  const ref = command.slots.ref ?? '';
  if (ref === '') return yield* planList(command, context);
  const looked = yield* lookUpTasks(context);
  if ('error' in looked) return failed(command, looked);
  const found = resolveReference(ref, looked.tasks, { ordered: looked.tasks, last: context.memory.last });
  if (found.kind === 'none')
    return done(command, `I couldn't find a task matching '${ref}'. Say "show my tasks" to see them.`);
  const tasks = found.kind === 'one' ? [found.item] : found.items;
  return done(command, describeStates(tasks));
}

/** The same where the words may be about anything: undefined unless a task has them. */
export function* lookUpKnown(command: Command, context: TaskContext): Work<Done | undefined> {
  const looked = yield* lookUpTasks(context);
  if ('error' in looked) return undefined;
  const found = resolveReference(command.slots.ref ?? '', looked.tasks, { ordered: [] });
  if (found.kind === 'none' || found.how === 'overlap') return undefined;
  return done(command, describeStates(found.kind === 'one' ? [found.item] : found.items));
}

function describeStates(tasks: readonly KnownTask[]): string {
  const [finished, open] = [tasks.filter((task) => task.is_completed), tasks.filter((task) => !task.is_completed)];
  const parts = [
    ...(open.length > 0 ? [`${titles(open)} ${open.length === 1 ? 'is' : 'are'} still open.`] : []),
    ...(finished.length > 0 ? [`${titles(finished)} ${finished.length === 1 ? 'is' : 'are'} marked as done.`] : []),
  ];
  return parts.join(' ');
}

function titles(tasks: readonly KnownTask[]): string {
  return quoteAll(
    tasks.map((task) => task.title),
    'and',
  );
}
