import type { Outcome } from '../../builtin/conversation.ts';
import type { ToolError } from '../../schema/conversation/tool-call.ts';
import type { Domain } from '../../schema/domain.ts';

export const FAILED = 'could not answer: ';

/** Explains in one sentence why a domain is missing from an answer. Empty if it is not missing. */
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

/** Only the first line of an error message is shown to users. */
export function firstLine(message: string): string {
  return message.split('\n', 1)[0]?.trim() ?? '';
}

function endSentence(text: string): string {
  const short = firstLine(text);
  return /[.!?"]$/.test(short) ? short : `${short}.`;
}
