import type { Store } from '../src/store/store.ts';

const AT = new Date(0).toISOString();
/** A conversation that holds only the message of its first turn. */
const CONVERSATION = {
  agent: 'bench',
  created_at: AT,
  last_updated: AT,
  last_activity: AT,
  message_count: 1,
  metadata: {},
};

/**
 * A store that keeps nothing, so that a run shows the cost of the journal. It accepts every write, and every read finds
 * nothing. Never for an agent: a crash loses everything, and no turn can be continued.
 */
export function createNoStore(): Store {
  const answers = {
    isShared: false,
    segmentMs: 250,
    beginTurn: async (_user, { turnId, conversationId }) => ({
      outcome: 'begun',
      lease: { turnId, conversationId, attempt: 1, runner: 'none', version: 1 },
    }),
    writeTurn: async () => {},
    readConversation: async (_user, id) => ({ ...CONVERSATION, id }),
    takeRequests: async () => [],
    listToContinue: async () => [],
    readHistory: async () => [],
    readMessages: async () => [],
    readAttachments: async () => [],
    recover: async () => [],
    countActive: async () => 0,
    changeMark: async () => 0,
    onLost: () => () => {},
    mayAct: () => true,
    describe: () => ({ kind: 'sqlite' }),
    findProblem: () => undefined,
  } satisfies Partial<Store>;
  return new Proxy(answers as Partial<Store> as Store, {
    // `then` must stay undefined, or awaiting the store would call it.
    get: (known, name) => Reflect.get(known, name) ?? (name === 'then' || name === 'bus' ? undefined : async () => {}),
  });
}
