/**
 * Logs details that users do not see: a tool's exception, a provider's error text. Never throws. A sentence in
 * `details.author` is also reported to the author.
 */
export type Log = (text: string, details: Record<string, unknown>) => void;

/** A fault that only the agent's author should see: where a function threw, why a server did not start. */
export interface Fault {
  text: string;
  /** The last lines that a program printed. */
  lines?: readonly string[];
  /** True if it ended a turn, which shows users a sentence of its own. */
  endsTurn?: boolean;
}

/** Reports faults to the author, where the author works. Never throws. */
export type Report = (fault: Fault) => void;

/** A log that also reports its sentences for the author. */
export function withReports(log: Log | undefined, report: Report | undefined): Log {
  return (text, details) => {
    log?.(text, details);
    if (typeof details.author === 'string')
      report?.({ text: details.author, ...(details.turn !== undefined && { endsTurn: true }) });
  };
}
