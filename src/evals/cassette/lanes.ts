import { AsyncLocalStorage } from 'node:async_hooks';
import type { RuntimeTap } from '../../runtime/tap.ts';
import type { JsonObject } from '../../schema/json.ts';

/** The exchanges of one turn. Turns of members that work in parallel have no common order. */
interface Lane {
  /** The calls from the root turn to this one, as in `checker:call_1/helper:call_2`; empty for the root. */
  path: string;
  /** Milliseconds since the start, advanced by the exchanges of this lane only. */
  elapsedMs: number;
  running: number;
  /** Ends the calls that have begun. */
  ends: { place: number; end(): void }[];
  /** All delegations so far have written their first event. */
  begun: Promise<void>;
  /** All delegations so far are done. */
  done: Promise<void>;
}

type Delegating = NonNullable<RuntimeTap['delegating']>;
type Outcome = ReturnType<Parameters<Delegating>[0]>;
export type Lanes = ReturnType<typeof createLanes>;

export function createLanes() {
  const scope = new AsyncLocalStorage<Lane>();
  const known = new Map<string, Lane>();
  const laneOf = (path: string): Lane => {
    const now = Promise.resolve();
    const lane = known.get(path) ?? { path, elapsedMs: 0, running: 0, ends: [], begun: now, done: now };
    known.set(path, lane);
    return lane;
  };
  /** The lane of the turn that is running. */
  const current = () => scope.getStore() ?? laneOf('');
  /**
   * Calls of a lane that run at the same time end at the same time, in the order of their starts. The turn would otherwise
   * see an order and times that depend on the speed of tools and members. `place`: that of the call in the recording.
   */
  const endTogether = async <T>(action: () => Promise<T>, moveClock: () => void, place?: number): Promise<T> => {
    const lane = current();
    const { promise, resolve: end } = Promise.withResolvers<void>();
    lane.ends.push({ place: place ?? lane.ends.length, end });
    lane.running++;
    try {
      return await action();
    } finally {
      lane.running--;
      // A round later, so that every call of the reply has begun.
      setImmediate(() => {
        if (lane.running > 0 || lane.ends.length === 0) return;
        moveClock();
        for (const { end } of lane.ends.splice(0).sort((a, b) => a.place - b.place)) end();
      });
      await promise;
    }
  };
  /**
   * Runs each member in a lane of its own. Parallel members write to the turn of their team in the order of the calls: the
   * first event of each, then the rest one by one. `together` records or repeats the end of a call.
   */
  const delegating = (together: (request: JsonObject, run: () => Outcome) => Outcome): Delegating => {
    return (delegate) => async (deps, user, work) => {
      const { call, context } = work;
      if (work.remote) return delegate(deps, user, work);
      const parent = current();
      const step = `${work.agent.split('/').at(-1)}:${encodeURIComponent(call.id)}`;
      const lane = laneOf(parent.path ? `${parent.path}/${step}` : step);
      lane.elapsedMs = Math.max(lane.elapsedMs, parent.elapsedMs);
      const outside = AsyncLocalStorage.snapshot();
      const { begun, done } = parent;
      const [beginning, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      Object.assign(parent, { begun: beginning.promise, done: end.promise });
      let earlier = begun;
      const write: typeof work.write = async (body) => {
        await earlier;
        earlier = done;
        const written = outside(() => work.write(body));
        beginning.resolve();
        return written;
      };
      const notes: string[] = [];
      const progress = (text: string) => void notes.push(text);
      const ask: typeof context.ask = (question) => done.then(() => outside(() => context.ask(question)));
      const own = { ...work, write, context: { ...context, progress, ask } };
      const run = () =>
        scope
          .run(lane, () => delegate(deps, user, own))
          .finally(() => {
            beginning.resolve(begun);
            end.resolve(done);
          });
      const outcome = await together({ tool: call.name, arguments: call.arguments }, run);
      for (const text of notes) context.progress(text);
      return outcome;
    };
  };
  return { current, endTogether, delegating };
}

/** The member whose turn a lane is, as the start of a sentence; empty for the root. */
export function laneLabel(path = ''): string {
  const [member] = path.split('/').at(-1)?.split(':') ?? [];
  return member ? `${member}: ` : '';
}
