import { AppError } from '../../errors.ts';
import type { Agent } from '../../schema/agent.ts';
import { CHILD_THREAD } from '../../schema/conversation/conversation.ts';
import type { User } from '../../schema/user.ts';
import type { Store } from '../../store/store.ts';

/** Methods that change something. Their second argument is the id of a conversation, or names it or the agent. */
const CHANGES = [
  'chat',
  'runThread',
  'answer',
  'continueInterrupted',
  'compact',
  'cancel',
  'deleteConversation',
  'updateConversation',
  'forkConversation',
  'setFeedback',
  'callTool',
] as const;

type What = string | { agent?: string; conversationId?: string; threadId?: string };
type Change = (user: User, what: What, ...more: never[]) => unknown;

/** A member's conversation is read-only for fronts: it is answered, stopped and deleted through the turn that it belongs to. */
export function guardChildren<Guarded extends { readonly agents: readonly Pick<Agent, 'members'>[] }>(
  runtime: Guarded,
  store: Pick<Store, 'readConversation'>,
): Guarded {
  const methods = runtime as unknown as Record<(typeof CHANGES)[number], Change>; // the runtime has all of them
  const guarded = CHANGES.map((name): [string, Change] => {
    const change = methods[name];
    return [
      name,
      async (user, what, ...more) => {
        const { agent, conversationId, threadId } = typeof what === 'string' ? { conversationId: what } : what;
        if (agent?.includes('/')) throw noSuchAgent();
        const id = conversationId ?? threadId;
        const isTeam = runtime.agents.some(({ members }) => members);
        const conversation = isTeam && id ? await store.readConversation(user, id) : undefined;
        if (conversation?.thread_id?.startsWith(CHILD_THREAD)) throw belongsToTurn();
        return change(user, what, ...more);
      },
    ];
  });
  return Object.assign(runtime, Object.fromEntries(guarded));
}

/** Members have names with a slash. They work for their team, and for nobody else. */
function noSuchAgent(): AppError {
  return new AppError('agent_not_found', { detail: 'There is no agent of this name.' });
}

function belongsToTurn(): AppError {
  const detail =
    'This conversation belongs to a turn of its team. Answer, cancel or delete the conversation of that turn.';
  return new AppError('belongs_to_turn', { detail });
}
