/**
 * Takes what people are not shown: a tool's exception, a provider's words. Never throws. A sentence in `details.author` is
 * reported to the author too.
 */
export type Log = (text: string, details: Record<string, unknown>) => void;

/** Something that the author of an agent should see, and nobody else: where a function threw, why a server did not start. */
export interface Fault {
  text: string;
  /** The last lines that a program printed. */
  lines?: readonly string[];
}

/** Takes faults for the author, at the place where the author works. Never throws. */
export type Report = (fault: Fault) => void;

/** A log that also reports its sentences for the author. */
export function withReports(log: Log | undefined, report: Report | undefined): Log {
  return (text, details) => {
    log?.(text, details);
    if (typeof details.author === 'string') report?.({ text: details.author });
  };
}
