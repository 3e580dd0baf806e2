/** How a source treats its server; tests and library users may choose other numbers. */
export interface SupervisorLimits {
  /** The wait after the first failure; doubles with each one after it, up to the longest. */
  firstWaitMs: number;
  longestWaitMs: number;
  /** At most so many starts in the window. */
  starts: number;
  startsWindowMs: number;
  /** Starting, negotiating and listing together. */
  startMs: number;
  /** How long a turn waits for a server that is still starting. */
  offerMs: number;
  /** How long a server has to show that it is alive. */
  pingMs: number;
  /** Changed definitions are read at most so often. */
  relistMs: number;
  /** A call (same user, tool and arguments) that crashed the server so often is refused, until `crashMemoryMs` after the last time. */
  crashesPerCall: number;
  /** The same for all calls of one user. */
  crashesPerUser: number;
  crashMemoryMs: number;
  /** A connection that lived so long was a good one. */
  stableMs: number;
  /** A connection of one user is closed after so long without use. */
  idleMs: number;
  /** Connections of single users open at once. */
  maxConnections: number;
  /** Users whose accepted definitions are remembered. */
  maxUsers: number;
  /** Bytes that a server may send at once; with more it is stopped. They refill at `outputBytesPerSecond`. */
  outputBytes: number;
  outputBytesPerSecond: number;
}

export const DEFAULT_LIMITS: SupervisorLimits = {
  firstWaitMs: 1_000,
  longestWaitMs: 60_000,
  starts: 10,
  startsWindowMs: 600_000,
  startMs: 30_000,
  offerMs: 10_000,
  pingMs: 5_000,
  relistMs: 1_000,
  crashesPerCall: 2,
  crashesPerUser: 5,
  crashMemoryMs: 600_000,
  stableMs: 60_000,
  idleMs: 300_000,
  maxConnections: 50,
  maxUsers: 1_000,
  outputBytes: 256_000_000,
  outputBytesPerSecond: 50_000_000,
};

/** Where a source writes what people need not read; any logger with that method is one. */
export interface Log {
  warn(fields: object, text: string): void;
}
