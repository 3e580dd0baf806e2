/** A conversation as the sequential model sees it. */
export interface Conversation {
  exists: boolean;
  /** The turn that runs. */
  running: number | undefined;
  /** Turns that were cancelled. */
  stopped: ReadonlySet<number>;
  /** Messages that were taken, in order. */
  taken: readonly number[];
}

/** A step that took effect at one moment between its start and its end. */
export interface Step {
  name: string;
  from: number;
  /** Infinity = its end was not seen. */
  until: number;
  /** A step of the same operation that comes first. */
  after?: Step;
  /** The state afterwards; undefined if the step is impossible in this state. */
  apply(state: Conversation): Conversation | undefined;
}

/** The turn that opened the conversation. */
export const FIRST = 0;
const START: Conversation = { exists: true, running: undefined, stopped: new Set(), taken: [] };

/**
 * Finds an order of all steps that the model allows and that keeps each step within its time (Wing and Gong's search).
 * Returns the names in that order, or undefined if there is none.
 */
export function findOrder(steps: readonly Step[]): string[] | undefined {
  const failed = new Set<string>();
  const search = (left: readonly Step[], state: Conversation): string[] | undefined => {
    if (left.length === 0) return [];
    const key = `${left.map((step) => steps.indexOf(step)).join()}|${keyOf(state)}`;
    if (failed.has(key)) return undefined;
    const earliestEnd = Math.min(...left.map(({ until }) => until));
    for (const step of left) {
      if (step.from > earliestEnd || (step.after && left.includes(step.after))) continue;
      const next = step.apply(state);
      const rest =
        next &&
        search(
          left.filter((other) => other !== step),
          next,
        );
      if (rest) return [step.name, ...rest];
    }
    failed.add(key);
    return undefined;
  };
  return search(steps, START);
}

function keyOf({ exists, running, stopped, taken }: Conversation): string {
  return JSON.stringify([exists, running ?? -1, [...stopped].sort((a, b) => a - b), taken]);
}

/** Steps of the operations by their outcome. */
export const MODEL = {
  begin: (turn: number) => (state: Conversation) =>
    state.exists && state.running === undefined
      ? { ...state, running: turn, taken: [...state.taken, turn] }
      : undefined,
  /** Refused, because another turn runs. */
  busy: (state: Conversation) => (state.exists && state.running !== undefined ? state : undefined),
  missing: (state: Conversation) => (state.exists ? undefined : state),
  end: (turn: number, status: string) => (state: Conversation) => {
    const wasStopped = state.stopped.has(turn);
    if (status !== 'completed' && !wasStopped) return undefined;
    if (state.running === turn) return { ...state, running: undefined };
    return wasStopped ? state : undefined;
  },
  stop: (state: Conversation): Conversation | undefined =>
    state.running === undefined ? undefined : { ...state, stopped: new Set([...state.stopped, state.running]) },
  stopIfRunning: (state: Conversation): Conversation => MODEL.stop(state) ?? state,
  /** The turns that were cancelled have ended. */
  stoppedEnded: (state: Conversation) =>
    state.running !== undefined && state.stopped.has(state.running) ? undefined : state,
  ended: (turn: number) => (state: Conversation) => (state.running === turn ? undefined : state),
  never: () => undefined,
  idle: (state: Conversation) => (state.running === undefined ? state : undefined),
  remove: (state: Conversation) =>
    state.exists ? { ...state, exists: false, running: undefined, stopped: new Set(state.taken) } : undefined,
  newest: (turn: number) => (state: Conversation) =>
    state.exists && (state.taken.at(-1) ?? FIRST) === turn ? state : undefined,
  taken: (turns: readonly number[]) => (state: Conversation) =>
    state.exists && state.taken.join() === turns.join() ? state : undefined,
};
