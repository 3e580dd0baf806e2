import type { InstructionParts } from '../schema/agent.ts';

/** Joins the parts into the text that a model reads. `isUserBound`: a tool argument is bound to the user. */
export function layOutInstructions(parts: InstructionParts, isUserBound: boolean): string {
  const sections = [
    endSentence(parts.role.trim()),
    listLines('CRITICAL RULES', parts.rules),
    listLines('RESPONSE GUIDELINES', parts.guidelines),
    [parts.tools.trim(), ...(isUserBound ? [USER_LINE] : [])].join('\n\n'),
    LIMITS_LINE,
  ];
  return sections.filter((section) => section !== '').join('\n\n');
}

const USER_LINE = 'The system fills in who the user is: never ask for a user id and never pass one.';
const LIMITS_LINE =
  'Remember: help only with what your role and tools cover. For other requests, politely say what you can do.';

function endSentence(text: string): string {
  return /[.!?:]$/.test(text) ? text : `${text}.`;
}

function listLines(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [`${title}:`, ...lines.map((line) => `- ${line.trim()}`)].join('\n');
}
