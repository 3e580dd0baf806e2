import { AppError } from '../../errors.ts';
import { CHILD_THREAD } from '../../schema/conversation/conversation.ts';
import { parsePosition } from '../../schema/position.ts';
import type { User } from '../../schema/user.ts';
import { cleanUserText } from '../../schema/user-text.ts';
import type { StoredTurn } from '../../store/store.ts';
import type { Pot } from '../../team/pot.ts';
import { type LiveMember, type MemberTurns, runMember } from '../../team/run-member.ts';
import type { ToolOutcome } from '../../tools/tool.ts';
import { cancelTurn } from '../conversations.ts';
import { awaitElsewhere } from '../live/elsewhere.ts';
import type { LiveTurn } from '../live/live-turn.ts';
import { firstWrite } from '../turn/first-write.ts';
import { isGone } from '../turn/is-gone.ts';
import { resumeTurn } from '../turn/resume-turn.ts';
import { type ChatDeps, type Delegating, ofBegin, startTurn } from '../turn/turn.ts';

/** Runs the turn of a member for a call. It is the user's own turn, in a conversation that belongs to the call's turn. */
export function delegate(deps: ChatDeps, user: User, work: Delegating): Promise<ToolOutcome> {
  return runMember({ ...work, turns: memberTurns(deps, user, work) });
}

function memberTurns(deps: ChatDeps, user: User, work: Delegating): MemberTurns {
  const { agent, call, context, lease, material, responseFormat } = work;
  const { store, turns, ids, clock } = deps;
  const threadId = `${CHILD_THREAD}${lease.turnId}:${call.id}`;
  const { traceparent } = context;
  const more = { ...(material && { context: material }), ...(traceparent && { traceparent }) };
  const own = (pot: Pot) => ({ keepsGoing: true, pot, ...more });
  const findLive = ({ id }: StoredTurn) => toMember(turns.findByTurn(user, id));
  return {
    async find() {
      const thread = await store.readThread(user, agent, threadId);
      return thread && store.readNewestTurn(user, thread.id);
    },
    async begin(task, pot) {
      const message = cleanUserText(task, deps.findAgent(agent).agent.limits.message_chars);
      const input = { agent, message, ...(responseFormat && { responseFormat }) };
      const target = { conversationId: ids.ulid(), isNew: true };
      const { turnId, write } = firstWrite({ deps, input, target, sibling: undefined });
      const child = { turnId: lease.turnId, attempt: lease.attempt };
      const request = { agent, turnId, ...target, threadId, child, write, now: clock.date().toISOString() };
      return turns.starting(turnId, async () => {
        const begun = await store.beginTurn(user, request);
        if (begun.outcome !== 'begun') return undefined;
        return toMember(startTurn(deps, user, { agent, lease: begun.lease, ...ofBegin(request), ...own(pot) }));
      });
    },
    async resume(turn, given, pot) {
      const resuming = resumeTurn(deps, user, { turn, clientTools: [], ...given, ...own(pot) });
      await resuming.then(({ events }) => events.return?.()).catch(ignoreRunning);
      return findLive(turn);
    },
    async join(turn, signal) {
      const live = findLive(turn);
      if (live || (await isGone(deps, user, turn))) return live;
      const { conversation_id: id } = turn;
      await (signal.aborted ? cancelTurn(deps, user, id) : awaitElsewhere(deps, user, { turn })).catch(ignoreRunning);
      return undefined;
    },
    readEvents: ({ id }) => store.readEvents(user, id),
    readResult: ({ id }) => store.readResult(user, id),
  };
}

function toMember(live: LiveTurn | undefined): LiveMember | undefined {
  if (!live) return undefined;
  return {
    ...live,
    async *events() {
      const last = live.events().at(-1);
      yield* live.watch(last && parsePosition(last.id));
      await live.done;
    },
  };
}

/** Another attempt was first, or another server is slow; the next look finds the turn as it is. */
function ignoreRunning(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'turn_running')) throw error;
}
