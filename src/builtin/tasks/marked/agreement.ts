import { cleanText } from '../../../language/clean-text.ts';
import { extractWhen } from '../../../language/when.ts';
import { contentStems } from '../../../language/words.ts';
import type { Zone } from '../../../language/zoned-time.ts';
import type { KnownTask } from '../known-task.ts';
import { isPronoun, resolveReference } from '../resolve-reference.ts';
import type { Command } from '../task-context.ts';
import type { TaskMemory } from '../task-memory.ts';
import { areNamed } from './command-traits.ts';

/** The tasks and the last turns that the words of commands are compared with. */
export interface Scene {
  tasks: readonly KnownTask[];
  memory: Pick<TaskMemory, 'last'>;
  zone: Zone;
}

/** True if two readings would change the same tasks in the same way, however they name them. */
export function isSameEffect(some: readonly Command[], others: readonly Command[], scene: Scene): boolean {
  return (
    some.length === others.length &&
    some.every((command, index) => {
      const other = others[index];
      return other !== undefined && isSameChange(command, other, scene);
    })
  );
}

function isSameChange(one: Command, other: Command, scene: Scene): boolean {
  if (one.action !== other.action || one.action === 'create' || one.action === 'list') return false;
  const [task, otherTask] = [taskOf(one, scene), taskOf(other, scene)];
  return task !== undefined && task === otherTask && changeOf(one, scene.zone) === changeOf(other, scene.zone);
}

/** The id of the one task that a command is about, if its words name it. */
function taskOf({ targets, slots: { ref = '' } }: Command, { tasks, memory }: Scene): string | undefined {
  if (targets) return targets.length === 1 ? targets[0]?.id : undefined;
  if (isPronoun(ref)) return memory.last?.id;
  const found = resolveReference(ref, tasks, { ordered: [] });
  return found.kind === 'one' && found.how !== 'overlap' && found.how !== 'typo' ? found.item.id : undefined;
}

function changeOf({ slots, shift }: Command, zone: Zone): string {
  const { when, title, description, clear, is_completed, filter, except } = slots;
  const due = when === undefined || shift !== undefined ? when : extractWhen(cleanText(when), zone)?.due;
  return JSON.stringify([due, shift, title?.toLowerCase(), description, clear, is_completed, filter, except]);
}

/** True if two readings add the same tasks: their titles have the same words. */
export function areSameTitles(some: readonly Command[], others: readonly Command[]): boolean {
  const titles = (commands: readonly Command[]) => commands.map(({ slots: { title = '' } }) => words(title)).join('|');
  return titles(some) === titles(others);
}

function words(title: string): string {
  const stems = contentStems(cleanText(title)).join(' ');
  return stems === '' ? title.trim().toLowerCase() : stems;
}

/** Words for several tasks of the last turn. */
const POINTING = /^(?:both|all|them|these|those)\b/i;

/** Unknown words name no task of the user, not even in part. */
export function isUnknown({ slots: { ref = '' }, targets, action }: Command, { tasks }: Scene): boolean {
  const isPointed = ref === '' || POINTING.test(ref);
  return action !== 'create' && !targets && !isPointed && !areNamed(ref, tasks);
}
