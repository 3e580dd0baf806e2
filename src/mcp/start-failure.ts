import { sanitizeText } from '../tools/sanitize.ts';

const MAX_LINES = 8;
const MAX_LINE_CHARS = 300;

/** A program that did not start, with what it printed last. Only the author of an agent is shown `output`. */
export class StartFailure extends Error {
  /** The reason in words; undefined = the cause has it. */
  readonly reason: string | undefined;
  readonly output: readonly string[];

  constructor(reason: string | undefined, { output, cause }: { output: readonly string[]; cause: unknown }) {
    super(reason ?? 'could not be started', { cause });
    this.reason = reason;
    this.output = output;
  }
}

/** The last lines of what a program wrote to stderr. */
export function readOutput(stderr: string): string[] {
  const lines = sanitizeText(stderr)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
  return lines.slice(-MAX_LINES).map((line) => line.slice(0, MAX_LINE_CHARS));
}
