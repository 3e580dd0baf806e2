/** The agents of the team that have a conversation. */
export type Speaker = 'helper' | 'desk';

/** A conversation as the sequential model sees it. */
export interface Conversation {
  exists: boolean;
  /** The turn that runs. */
  running: number | undefined;
  /** Whether that turn waits for an approval. */
  waits: boolean;
  /** Whether it was cancelled while it waited; then the cancel itself ends it. */
  isGivenUp: boolean;
  /** The turn that ran at the deletion, until its server has noticed. */
  leftOver: number | undefined;
  /** Turns that were cancelled. */
  stopped: ReadonlySet<number>;
  /** Messages that were taken, in order. */
  taken: readonly number[];
  /** The agent that gets the next message. */
  speaker: string;
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
const START: Conversation = {
  exists: true,
  running: undefined,
  waits: false,
  isGivenUp: false,
  leftOver: undefined,
  stopped: new Set(),
  taken: [],
  speaker: 'helper',
};

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

function keyOf({ exists, running, waits, isGivenUp, leftOver, stopped, taken, speaker }: Conversation): string {
  return JSON.stringify([
    exists,
    running ?? -1,
    waits,
    isGivenUp,
    leftOver ?? -1,
    [...stopped].sort((a, b) => a - b),
    taken,
    speaker,
  ]);
}

/** A turn that was given up may be over at any moment; nobody reads its end. */
const isFree = ({ running, isGivenUp }: Conversation) => running === undefined || isGivenUp;

/** The agent that a turn's message asks for, and the one that answered it. */
interface Answering {
  to?: Speaker | undefined;
  agent?: string | undefined;
}

/** Steps of the operations by their outcome. */
export const MODEL = {
  begin: (turn: number) => (state: Conversation) =>
    state.exists && isFree(state)
      ? { ...state, running: turn, isGivenUp: false, taken: [...state.taken, turn] }
      : undefined,
  /** Refused, because another turn runs. */
  busy: (state: Conversation) => (state.exists && state.running !== undefined ? state : undefined),
  /** Refused, because a call waits for an approval. */
  asking: (state: Conversation) => (state.exists && state.waits ? state : undefined),
  missing: (state: Conversation) => (state.exists ? undefined : state),
  end:
    (turn: number, status: string, by: Answering = {}) =>
    (state: Conversation) => {
      const wasStopped = state.stopped.has(turn);
      if (status !== 'completed' && !wasStopped) return undefined;
      if (state.running === turn) {
        const { to = state.speaker, agent = to } = by;
        // A turn that was stopped may have handed over before.
        if (agent !== to && (status === 'completed' || agent !== state.speaker)) return undefined;
        return { ...state, running: undefined, speaker: agent };
      }
      if (!wasStopped) return undefined;
      return state.leftOver === turn ? { ...state, leftOver: undefined } : state;
    },
  wait: (turn: number) => (state: Conversation) => (state.running === turn ? { ...state, waits: true } : undefined),
  answer: (turn: number) => (state: Conversation) =>
    state.running === turn && state.waits ? { ...state, waits: false } : undefined,
  waits: (turn: number) => (state: Conversation) => (state.running === turn && state.waits ? state : undefined),
  notWaiting: (turn: number) => (state: Conversation) => (state.running === turn && state.waits ? undefined : state),
  stop: (state: Conversation): Conversation | undefined => {
    if (state.running === undefined) return state.leftOver === undefined ? undefined : state;
    const stopped = new Set([...state.stopped, state.running]);
    return { ...state, stopped, waits: false, isGivenUp: state.isGivenUp || state.waits };
  },
  stopIfRunning: (state: Conversation): Conversation => MODEL.stop(state) ?? state,
  /** The turns that were cancelled have ended. */
  stoppedEnded: (state: Conversation) => {
    if (state.running === undefined || !state.stopped.has(state.running)) return state;
    return state.isGivenUp ? { ...state, running: undefined, isGivenUp: false } : undefined;
  },
  ended: (turn: number) => (state: Conversation) => (state.running === turn && !isFree(state) ? undefined : state),
  never: () => undefined,
  idle: (state: Conversation) => (isFree(state) ? state : undefined),
  remove: (state: Conversation) =>
    state.exists
      ? {
          ...state,
          exists: false,
          running: undefined,
          waits: false,
          isGivenUp: false,
          leftOver: state.running,
          stopped: new Set(state.taken),
        }
      : undefined,
  newest: (turn: number) => (state: Conversation) =>
    state.exists && (state.taken.at(-1) ?? FIRST) === turn ? state : undefined,
  taken: (turns: readonly number[]) => (state: Conversation) =>
    state.exists && state.taken.join() === turns.join() ? state : undefined,
};
