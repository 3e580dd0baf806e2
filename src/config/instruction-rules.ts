import type { Finding } from '../yaml/problem.ts';
import type { Draft } from './check-shape.ts';
import { isBoundToUser } from './tool-rules.ts';

const EXAMPLE = '"Only work with data of the authenticated user."';
/** Rules of a text are separated by ends of sentences, empty lines and beginnings of list items. */
const BETWEEN_RULES = /(?<=[.!?])\s+|\n\s*\n|\n(?=\s*(?:[-*•]|\d+[.)])\s)/;

/** A tool that is bound to the user needs a rule about isolation. `text` is empty if it could not be built. */
export function checkUserRule({ instructions, tools }: Draft, text: string): Finding[] {
  if (instructions === undefined || !tools.some((tool) => tool && isBoundToUser(tool))) return [];
  const say = (key: string[], what: string) => [
    {
      path: ['instructions', ...key],
      message: `a tool is bound to the user; add a ${what} with both "user" and "only", such as ${EXAMPLE}`,
    },
  ];
  if (typeof instructions === 'object' && 'role' in instructions)
    return instructions.rules.some(isUserRule) ? [] : say(['rules'], 'rule');
  if (text === '' || text.split(BETWEEN_RULES).some(isUserRule)) return [];
  if (typeof instructions === 'string') return say([], 'sentence');
  return say(['file' in instructions ? 'file' : 'inline'], 'sentence');
}

function isUserRule(rule: string): boolean {
  return /user/i.test(rule) && /only/i.test(rule);
}

/** Advice about the prompt's style. The style is the author's choice, so a hint never makes a file invalid. */
export function findHints({ instructions }: Draft): Finding[] {
  if (typeof instructions !== 'object' || !('role' in instructions)) return [];
  if (instructions.guidelines.some((line) => /\b(concise|brief|short)\b|under \d+ words/i.test(line))) return [];
  const message = 'no line asks for brevity; models answer at length unless one says "concise" or "under 200 words"';
  return [{ path: ['instructions', 'guidelines'], message }];
}
