import type { KnownTask } from './known-task.ts';
import type { Resolution } from './resolve-reference.ts';

/**
 * The task that the newest text with any task's whole title in it names. The texts only point: the tasks are those that
 * the user's own tool has listed.
 */
export function findSaid(tasks: readonly KnownTask[], said: readonly string[]): Resolution<KnownTask> {
  for (const text of said) {
    const words = ` ${wordsOf(text)} `;
    const named = tasks.filter(({ title }) => wordsOf(title) !== '' && words.includes(` ${wordsOf(title)} `));
    // "buy milk" is not meant where "buy milk and eggs" is.
    const whole = named.filter(
      ({ title }) => !named.some((other) => other.title !== title && wordsOf(other.title).includes(wordsOf(title))),
    );
    const [item] = whole;
    if (item)
      return whole.length === 1 ? { kind: 'one', item, how: 'last' } : { kind: 'many', items: whole, how: 'last' };
  }
  return { kind: 'none' };
}

function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
