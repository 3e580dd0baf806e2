import type { Outcome } from '../builtin/conversation.ts';
import type { Domain } from '../schema/domain.ts';
import type { ToolError } from '../schema/tool-call.ts';

export const FAILED = 'could not answer: ';

/** Why a domain is missing from an answer, in one sentence for people; nothing when it is not. */
export function describeProblem({ domain, outcome }: { domain: Domain; outcome?: Outcome }): string[] {
  const name = domain.display_name;
  if (!outcome) return [`${name} cannot be reached right now, so it is missing from this answer.`];
  return 'error' in outcome ? [sentenceFor(name, outcome.error)] : [];
}

function sentenceFor(name: string, error: ToolError): string {
  switch (error.error_type) {
    case 'PermissionDenied':
    case 'UnauthorizedError':
      return `You do not have permission to see ${name}, so it is missing from this answer.`;
    case 'Timeout':
      return `${name} did not answer in time, so it is missing from this answer.`;
    default:
      return /not reachable|cannot be reached|closed the connection|did not start/i.test(error.message)
        ? `${name} cannot be reached right now, so it is missing from this answer.`
        : `${name} ${FAILED}${endSentence(error.message)}`;
  }
}

/** Of a message only this is shown. */
export function firstLine(message: string): string {
  return message.split('\n', 1)[0]?.trim() ?? '';
}

function endSentence(text: string): string {
  const short = firstLine(text);
  return /[.!?"]$/.test(short) ? short : `${short}.`;
}
