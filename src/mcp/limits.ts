/** Limits of a source for its server; tests and library users may choose other numbers. */
export interface SupervisorLimits {
  /** The wait after the first failure; it doubles with each further failure, up to the longest. */
  firstWaitMs: number;
  longestWaitMs: number;
  /** Maximum number of starts in the window. */
  starts: number;
  startsWindowMs: number;
  /** Maximum time for starting, negotiating and listing together. */
  startMs: number;
  /** How long a turn waits for a server that is still starting. */
  offerMs: number;
  /** How long a server may take to answer a ping. */
  pingMs: number;
  /** Minimum time between two reads of changed definitions. */
  relistMs: number;
  /**
   * A call (same user, tool and arguments) that crashed the server this often is refused until `crashMemoryMs` after
   * the last crash.
   */
  crashesPerCall: number;
  /** The same limit for all calls of one user. */
  crashesPerUser: number;
  crashMemoryMs: number;
  /** A connection that lived this long counts as good. */
  stableMs: number;
  /** A per-user connection is closed after this long without use. */
  idleMs: number;
  /** Maximum number of open per-user connections. */
  maxConnections: number;
  /** Number of users whose accepted definitions are remembered. */
  maxUsers: number;
  /** Bytes that a server may send at once; it is stopped if it sends more. They refill at `outputBytesPerSecond`. */
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

/** Receives a source's diagnostics; any logger with this method fits. */
export interface Log {
  warn(fields: object, text: string): void;
}
