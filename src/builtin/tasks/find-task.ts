import { readPosition, readPositions } from '../../language/words.ts';
import { countedTasks, splitNames } from './find-group.ts';
import { findSaid } from './find-said.ts';
import { cleanReference } from './frames/clean-reference.ts';
import type { KnownTask } from './known-task.ts';
import type { Found } from './plan/policy.ts';
import { isPronoun, type MatchKind, type Resolution, resolveReference } from './resolve-reference.ts';
import { type ChangeCommand, searchTasks, type TaskContext, type Work } from './task-context.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Words that turn a reference around: what only resembles it is then just what is not meant. */
const EXCEPTS = /^but\b|\b(?:except|excluding|apart from|other than|besides|all but|everything but|not)\b/i;

const PLURAL =
  /^(?:them|these|those|both|them both|both of (?:them|these|those)|them all|all of (?:them|these|those)|all (?:these|those))$/i;

const FOUND: Readonly<Record<MatchKind, Found>> = {
  exact: 'exact',
  position: 'exact',
  counted: 'counted',
  named: 'named',
  last: 'recent',
  stale: 'stale',
  typo: 'typo',
  partial: 'partial',
  overlap: 'similar',
};

/** How the policy calls a match. */
export function foundBy(how: MatchKind): Found {
  return FOUND[how];
}

/** "it" and "the second one" mean what was said and shown before; an id is itself. */
export function recall(ref: string, { memory }: TaskContext): Resolution<KnownTask> {
  if (UUID.test(ref))
    return { kind: 'one', item: { id: ref.toLowerCase(), title: ref, is_completed: false }, how: 'exact' };
  if (isPronoun(ref))
    return memory.last
      ? { kind: 'one', item: memory.last, how: memory.isLastFresh ? 'last' : 'stale' }
      : { kind: 'none' };
  const position = readPosition(ref);
  const item = position === undefined ? undefined : memory.shown.at(position > 0 ? position - 1 : position);
  return item ? { kind: 'one', item, how: memory.isShownFresh ? 'position' : 'counted' } : { kind: 'none' };
}

/** Where only a part of the tasks could be seen, a better match may be among the others. */
export function* findTask(
  command: ChangeCommand,
  ref: string,
  { tasks, context }: { tasks: readonly KnownTask[]; context: TaskContext },
): Work<Resolution<KnownTask>> {
  if (isPronoun(ref)) return findSaid(tasks, context.memory.said);
  const reading = { ordered: countedTasks(tasks, context), last: context.memory.last };
  const found = resolveReference(ref, tasks, reading);
  const isSure = found.kind !== 'none' && (found.how === 'exact' || found.how === 'position');
  if (!context.list?.cut || isSure) return narrow(command, withoutDoubt(found, ref));
  const others = yield* searchTasks(context, ref);
  const all = [...tasks, ...others.filter((other) => tasks.every((task) => task.id !== other.id))];
  return narrow(command, withoutDoubt(resolveReference(ref, all, reading), ref));
}

function withoutDoubt(found: Resolution<KnownTask>, ref: string): Resolution<KnownTask> {
  // The list was not shown: its order may be another in the user's mind.
  if (found.kind === 'one' && found.how === 'position') return { ...found, how: 'counted' };
  return found.kind !== 'none' && found.how === 'overlap' && EXCEPTS.test(ref) ? { kind: 'none' } : found;
}

/** A done task is not meant where an open one could be; to be opened again it must be done. */
function narrow({ action, slots }: ChangeCommand, found: Resolution<KnownTask>): Resolution<KnownTask> {
  if (found.kind !== 'many' || action === 'delete') return found;
  const open = found.items.filter((task) => task.is_completed === (slots.is_completed === false));
  const [first] = open;
  if (!first) return found;
  return open.length === 1 ? { kind: 'one', item: first, how: found.how } : { ...found, items: open };
}

/** Several tasks. `isSure`: each is clearly named. */
export interface Several {
  tasks: KnownTask[];
  isSure: boolean;
}

/** "milk and eggs", "the first three": several tasks, each named, where no task is named by the whole. */
export function findSeveral(ref: string, tasks: readonly KnownTask[], context: TaskContext): Several | undefined {
  if (PLURAL.test(ref)) return findThem(ref, tasks, context);
  const ordered = countedTasks(tasks, context);
  const whole = resolveReference(ref, tasks, { ordered });
  if (whole.kind !== 'none' && whole.how === 'exact') return undefined;
  const positions = readPositions(ref, ordered.length);
  if (positions)
    return {
      tasks: positions.flatMap((position) => ordered[position - 1] ?? []),
      isSure: context.memory.shown.length > 0 && context.memory.isShownFresh,
    };
  const parts = splitNames(ref.replace(/^(?:both|got|bought|did|finished|completed|have|the)\s+/i, ''));
  if (parts.length < 2) return undefined;
  const found = parts.map((part) => resolveReference(cleanReference(part), tasks, { ordered }));
  const clear = found.flatMap((part) => (part.kind === 'one' && part.how !== 'overlap' ? part : []));
  const items = clear.map(({ item }) => item);
  if (items.length < parts.length || new Set(items).size < items.length) return undefined;
  return { tasks: items, isSure: clear.every(({ how }) => how !== 'partial' && how !== 'counted') };
}

/** "them" are the tasks of the last turn, if it was about several. */
function findThem(ref: string, tasks: readonly KnownTask[], { memory }: TaskContext): Several | undefined {
  const found = memory.group.flatMap(({ id }) => tasks.find((task) => task.id === id) ?? []);
  const isMeant = /both/i.test(ref) ? found.length === 2 : found.length > 1;
  if (isMeant) return { tasks: found, isSure: true };
  if (!/both/i.test(ref)) return undefined;
  const open = tasks.filter((task) => !task.is_completed);
  if (open.length === 2) return { tasks: open, isSure: true };
  return tasks.length === 2 ? { tasks: [...tasks], isSure: false } : undefined;
}
