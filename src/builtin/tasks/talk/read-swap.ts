import { extractWhen } from '../../../language/when.ts';
import type { Zone } from '../../../language/zoned-time.ts';
import type { KnownTask } from '../known-task.ts';
import type { Command } from '../task-context.ts';
import type { TaskMemory } from '../task-memory.ts';
import { dropOpeners } from './peel.ts';

interface Swapping {
  tasks: readonly KnownTask[];
  zone: Zone;
  memory: TaskMemory;
}

/** A word of a title and the word that takes its place. */
interface Swap {
  from: string;
  to: string;
}

const LINK = String.raw`(?:it(?:'s| is| was)|that(?:'s| is)|this is|make (?:it|that)|i meant?|i mean|should be|is|are|was|with|the|an?|my|some|but|for|to|go(?:es)? to|say)`;
const LEAD = new RegExp(String.raw`^(?:${LINK}\s+)+(?=\S)`, 'i');
const TAIL = /(?:[\s,]+(?:please|pls|sorry|typo|instead|i mean(?:t)?|then|rather|actually|lol|of course))+[\s.!]*$/i;
const NOT_OLD_NEW = /\b(?:not|isn't|is not|wasn't|aren't)\s+(.+?)\s*(?:[,;.–-]\s*|\s+but\s+)(?:but\s+)?(.+)$/i;
const NEW_NOT_OLD = /^(.+?)[\s,;–-]+(?:not|instead of|rather than)\s+(.+)$/i;
const EXCHANGE = /^(?:swap|replace|exchange|substitute)\s+(.+?)\s+(?:for|with|by)\s+(.+)$/i;
const MAX_WORDS = 4;

/** "not Ann, Bea", "Bea instead of Ann", "swap the fish for the soup": one part of a title is another. */
export function readSwap(text: string, { tasks, zone, memory }: Swapping): Command | undefined {
  // After "… is done", another name is another task.
  if (memory.changes.some(({ action }) => action === 'complete' || action === 'delete') && memory.isJustChanged)
    return undefined;
  const clean = dropOpeners(text).replace(/[\s.!]+$/, '');
  for (const swap of swapsOf(clean)) {
    const from = swap.from.replace(LEAD, '').replace(TAIL, '').trim();
    const holding = tasks.filter((task) => !task.is_completed && holds(task.title, from));
    const [task, another] = holding;
    const to = cutTo(swap.to.replace(TAIL, ''), { from, title: task?.title ?? '' });
    if (!task || another || from === '' || to === '' || to.split(/\s+/).length > MAX_WORDS) continue;
    const isNamed = tasks.some(({ id, title }) => id !== task.id && holds(title, to.split(/\s+/).at(-1) ?? ''));
    if (isNamed || extractWhen(to, zone) || holds(task.title, to) || /\d\s*(?:am|pm)?$/i.test(from)) continue;
    const title = task.title.replace(
      new RegExp(String.raw`(?<![\p{L}\p{N}])${quoteForPattern(from)}(?![\p{L}\p{N}])`, 'iu'),
      to,
    );
    return { action: 'update', confidence: 0.75, slots: { ref: task.title, title }, targets: [task] };
  }
  return undefined;
}

function swapsOf(clean: string): Swap[] {
  const [, old = '', fresh = ''] = NOT_OLD_NEW.exec(clean) ?? EXCHANGE.exec(clean) ?? [];
  const [, later = '', former = ''] = NEW_NOT_OLD.exec(clean) ?? [];
  return [
    { from: old, to: fresh },
    { from: former, to: later },
  ].filter(({ from, to }) => from !== '' && to !== '');
}

/** The new word alone: "it is Marjorie I am meeting" → "Marjorie". Words of the title around it are dropped. */
function cutTo(words: string, { from, title }: { from: string; title: string }): string {
  const bare = words
    .replace(/^.*[,;:.]\s+(?=\S)/, '')
    .replace(/^.*\b(?:is|are|was|were|be)\s+(?=\S)/i, '')
    .replace(LEAD, '')
    .trim();
  const at = title.toLowerCase().indexOf(from.toLowerCase());
  const before = title.slice(0, Math.max(0, at)).trim().toLowerCase();
  const inner = before !== '' && bare.toLowerCase().startsWith(`${before} `) ? bare.slice(before.length).trim() : bare;
  const isName = /^\p{Lu}/u.test(from);
  const name = isName ? /\p{Lu}[\p{L}'’.-]*(?:\s+\p{Lu}[\p{L}'’.-]*)*/u.exec(inner)?.[0] : undefined;
  const behind =
    title
      .slice(at + from.length)
      .trim()
      .split(/\s+/)[0]
      ?.toLowerCase() ?? '';
  const alone =
    behind !== '' && inner.toLowerCase().endsWith(` ${behind}`) ? inner.slice(0, -behind.length).trim() : inner;
  return name ?? alone;
}

function holds(title: string, words: string): boolean {
  return (
    words !== '' && new RegExp(String.raw`(?<![\p{L}\p{N}])${quoteForPattern(words)}(?![\p{L}\p{N}])`, 'iu').test(title)
  );
}

function quoteForPattern(words: string): string {
  return words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
