import { readPosition } from '../../../language/words.ts';
import { isPronoun } from '../resolve-reference.ts';

/** Titles that are words of commands: in a message they mean more than the task. */
const COMMAND_WORD =
  /^(?:all|everything|every|list|lists?|tasks?|done|both|them|undo|show|add|today|tomorrow|yes|no)$/i;
const QUOTED = /"[^"]*"|(?<=^|[\s,;:(])'[^']*'(?=$|\W)/g;

/** Puts quotes around every whole title that a clean text contains, longest titles first: what stands in them is no command. */
export function quoteTitles(text: string, titles: readonly string[]): string {
  const usable = [...new Set(titles.map((title) => title.trim()))].filter(isUsable).sort((a, b) => b.length - a.length);
  if (usable.length === 0) return text;
  const held: string[] = [];
  const hold = (span: string) => `\u0000${held.push(span) - 1}\u0000`;
  let open = text.replace(QUOTED, hold);
  for (const title of usable) open = open.replace(wordsOf(title), (span) => hold(`"${span}"`));
  return open.replace(/\u0000(\d+)\u0000/g, (_, index: string) => held[Number(index)] ?? '');
}

function isUsable(title: string): boolean {
  return (
    title.length > 2 &&
    !title.includes('"') &&
    !isPronoun(title) &&
    !COMMAND_WORD.test(title) &&
    readPosition(title) === undefined
  );
}

function wordsOf(title: string): RegExp {
  const source = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, String.raw`\s+`);
  return new RegExp(String.raw`(?<![\p{L}\p{N}_\u0000])${source}(?![\p{L}\p{N}_\u0000]|['’]\p{L})`, 'iu');
}
