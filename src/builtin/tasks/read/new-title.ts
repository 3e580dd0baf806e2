import { startsWithVerb } from '../../../language/action-verbs.ts';
import { unquote } from '../../../language/clean-text.ts';
import { contentStems, isOneTypoAway } from '../../../language/words.ts';
import type { Slots } from '../command.ts';
import type { KnownTask } from '../known-task.ts';
import { cleanReference } from '../reference.ts';
import { isPronoun, resolve } from '../resolve.ts';
import type { TaskMemory } from '../task-memory.ts';

interface Renaming {
  tasks: readonly KnownTask[];
  memory: TaskMemory;
}

/**
 * The rename that some words ask for. "milk to oat milk" changes one word of "buy milk"; a title that is named whole, or a
 * new name that begins with a verb, replaces all of it.
 */
export function newTitle(
  old: string,
  to: string,
  { tasks, memory }: Renaming,
): { slots: Slots; task?: KnownTask } | undefined {
  const fresh = unquote(to.trim());
  const name = cleanReference(unquote(old));
  if (name === '' || isPronoun(name)) {
    const last = tasks.find(({ id }) => id === memory.last?.id);
    if (!last) return { slots: { ref: 'it', title: fresh } };
    const title = mergeTitle(last.title, fresh);
    return title === undefined ? undefined : { slots: { ref: 'it', title } };
  }
  const found = resolve(name, tasks, memory);
  const [task, another] = found.kind === 'found' && found.how !== 'similar' ? found.tasks : [];
  if (!task || another) return { slots: { ref: name, title: fresh } };
  const { title } = task;
  const part = partOf(title, unquote(old.trim()));
  const isWhole =
    part === undefined || contentStems(name).length >= contentStems(title).length || startsWithVerb(fresh);
  if (isWhole) return { slots: { ref: name, title: fresh } };
  const slots = {
    ref: title,
    title: title.replace(part, () => fresh).replace(/\b(the|an?|my) (?:the|an?|my) /i, '$1 '),
  };
  return { slots, task };
}

/** The words of a title as they stand in it. */
function partOf(title: string, words: string): string | undefined {
  const bare = words.replace(/^(?:the|my|a|an)\s+/i, '');
  const at = title.toLowerCase().indexOf(bare.toLowerCase());
  return at < 0 || bare === '' ? undefined : title.slice(at, at + bare.length);
}

const NUMBER = /\b(?:\d+(?:[.,]\d+)?|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b/i;

const escapeWords = (words: string) => words.replace(/[^\p{L}\p{N}]/gu, String.raw`\$&`);

/**
 * The title that a few words make of the last one: "450" exchanges its number, "Petra" its last word, "farrier" the word
 * that it resembles. Undefined where it is not clear what they replace.
 */
function mergeTitle(title: string, fresh: string): string | undefined {
  const words = title.split(/\s+/);
  if (NUMBER.test(fresh) && fresh.replace(NUMBER, '').trim() === '')
    return NUMBER.test(title) ? title.replace(NUMBER, () => fresh) : undefined;
  const [, thing] = /^\S+\s+(\S+)$/.exec(fresh) ?? [];
  const counted =
    thing !== undefined && NUMBER.test(fresh)
      ? new RegExp(`${NUMBER.source}\\s+${escapeWords(thing)}\\b`, 'i')
      : undefined;
  if (counted?.test(title)) return title.replace(counted, () => fresh);
  if (startsWithVerb(fresh) || !startsWithVerb(title)) return fresh;
  const alike = words.find((word) => fresh.length > 3 && isOneTypoAway(word.toLowerCase(), fresh.toLowerCase()));
  if (alike !== undefined) return title.replace(alike, () => fresh);
  return words.length === 2 ? `${words[0]} ${fresh}` : undefined;
}
