import { createHash } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { User } from '../../schema/user.ts';
import type { SupervisorLimits } from '../limits.ts';
import { sortedText } from './definitions.ts';

/** Crashes are counted per call: equal calls have the same user, tool and arguments. */
export interface CountedCall {
  userId: string;
  /** Computed only when a crash requires it. */
  key(): string;
}

/** Counts crashes of one server by the calls that cause them, and refuses calls that would repeat them. */
export interface CrashGuard {
  /** The reason why this call is not sent now; undefined = it may be sent. */
  refusal(call: CountedCall): string | undefined;
  /** Records a crash while these calls ran. Returns the user who is blamed, if it is exactly one. */
  noteCrash(running: readonly CountedCall[]): string | undefined;
  /** Records an answer: earlier crashes were not caused by this call. */
  noteAnswer(call: CountedCall): void;
}

export interface CrashGuardOptions {
  name: string;
  clock: Clock;
  limits: Pick<SupervisorLimits, 'crashesPerCall' | 'crashesPerUser' | 'crashMemoryMs'>;
}

/** Number of calls, and of users, that are remembered; the oldest is dropped first. */
const MAX_REMEMBERED = 1_000;

/**
 * A crash counts against the most suspicious user whose calls ran, shared between equals. A user who causes crashes is
 * present at each of them, so no bystander can become more suspicious than that user.
 */
export function createCrashGuard({ name, clock, limits }: CrashGuardOptions): CrashGuard {
  const users = createScores(clock, limits.crashMemoryMs);
  const calls = createScores(clock, limits.crashMemoryMs);
  return {
    refusal(call) {
      const ofUser = users.read(call.userId);
      if (ofUser.score >= limits.crashesPerUser)
        return `This user's calls crashed ${name} ${limits.crashesPerUser} times and are not sent ${ofUser.until()}`;
      const ofCall = calls.isEmpty ? undefined : calls.read(call.key());
      if (ofCall === undefined || ofCall.score < limits.crashesPerCall) return undefined;
      return `This call crashed ${name} ${limits.crashesPerCall} times and is not sent again ${ofCall.until()}`;
    },
    noteCrash(running) {
      const blamed = users.blame(running.map(({ userId }) => userId));
      calls.blame(running.filter(({ userId }) => blamed.includes(userId)).map((call) => call.key()));
      return blamed.length === 1 ? blamed[0] : undefined;
    },
    noteAnswer(call) {
      if (!calls.isEmpty) calls.forget(call.key());
    },
  };
}

export function countedCall(user: User, tool: string, args: JsonObject): CountedCall {
  let key: string | undefined;
  return {
    userId: user.id,
    key() {
      key ??= createHash('sha256')
        .update(sortedText([user.id, tool, args]))
        .digest('hex');
      return key;
    },
  };
}

function createScores(clock: Clock, memoryMs: number) {
  const entries = new Map<string, { score: number; at: number }>();
  const find = (key: string) => {
    const entry = entries.get(key);
    if (entry && entry.at + memoryMs > clock.now()) return entry;
    entries.delete(key);
    return undefined;
  };
  const add = (key: string, score: number) => {
    const before = find(key)?.score ?? 0;
    entries.delete(key);
    entries.set(key, { score: before + score, at: clock.now() });
    const [oldest] = entries.keys();
    if (entries.size > MAX_REMEMBERED && oldest !== undefined) entries.delete(oldest);
  };
  return {
    get isEmpty() {
      return entries.size === 0;
    },
    read(key: string) {
      const entry = find(key);
      const untilMs = () => (entry ? entry.at + memoryMs - clock.now() : 0);
      return { score: entry?.score ?? 0, until: () => describeWait(untilMs()) };
    },
    /** Counts a crash, shared by those with the highest score; returns them. */
    blame(keys: readonly string[]): string[] {
      const scores = new Map(keys.map((key) => [key, find(key)?.score ?? 0]));
      const highest = Math.max(...scores.values());
      const blamed = [...scores].filter(([, score]) => score === highest).map(([key]) => key);
      for (const key of blamed) add(key, 1 / blamed.length);
      return blamed;
    },
    forget: (key: string) => entries.delete(key),
  };
}

function describeWait(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  return `for ${minutes === 1 ? '1 minute' : `${minutes} minutes`}`;
}
