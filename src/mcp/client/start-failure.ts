import { sanitizeText } from '../../tools/sanitize.ts';

const MAX_LINES = 8;
const MAX_LINE_CHARS = 300;
/** The first line of an error, as Node, Python and most programs print it. */
const ERROR_LINE = /^(?:Uncaught |Caused by: |thread .* )?[\w.]*(?:Error|Exception|panicked)\b(?: \[\w+\])?.*\S/;

/**
 * A failed start with the last output of the server, or the reason why no request reached it. `output` is shown only to
 * the author of an agent.
 */
export class StartFailure extends Error {
  /** The reason as a phrase; undefined = the cause has it. */
  readonly reason: string | undefined;
  readonly output: readonly string[];

  constructor(reason: string | undefined, { output, cause }: { output: readonly string[]; cause: unknown }) {
    super(reason ?? 'could not be started', { cause });
    this.reason = reason;
    this.output = output;
  }
}

/** The last lines of stderr; for a stack trace, the error line above it and the last line. */
export function readOutput(stderr: string): string[] {
  const lines = sanitizeText(stderr)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
  const error = lines.findLastIndex((line) => ERROR_LINE.test(line));
  const isAbove = error >= 0 && error < lines.length - MAX_LINES;
  const kept = isAbove
    ? [...lines.slice(error, error + MAX_LINES - 2), '…', ...lines.slice(-1)]
    : lines.slice(-MAX_LINES);
  return kept.map((line) => line.slice(0, MAX_LINE_CHARS));
}

/** The host without path, user or query, and the cause, for an HTTP server that no request reached. */
export function readUnreached(error: unknown, { host }: URL): string[] {
  const causes: Error[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) causes.push(cause);
  const last = causes.at(-1);
  if (!last || !causes.some((cause) => cause instanceof TypeError && cause.message === 'fetch failed')) return [];
  const code = 'code' in last ? String(last.code) : '';
  return [code === 'ECONNREFUSED' ? `nothing listens at ${host}` : `${host}: ${sanitizeText(last.message || code)}`];
}
