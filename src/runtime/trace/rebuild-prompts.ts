import { toModelRequest } from '../../agent/model-request.ts';
import { keptMessages } from '../../agent/prompt.ts';
import { foldEvents } from '../../agent/turn-state.ts';
import type { ModelRequest } from '../../models/model.ts';
import type { Event } from '../../schema/conversation/event.ts';
import type { Message } from '../../schema/conversation/message.ts';
import { isText } from '../../schema/conversation/message.ts';
import { modelLimits } from '../../schema/model-limits.ts';
import type { User } from '../../schema/user.ts';
import type { Store, StoredTurn } from '../../store/store.ts';
import type { ReadyAgent } from '../agents/ready-agent.ts';
import { loadAttachments } from '../files/attachments.ts';
import { isSummaryRequest, sinceSummary } from '../turn/summary.ts';

const OFFER_TIMEOUT_MS = 10_000;

export interface RebuildOptions {
  store: Store;
  ready: ReadyAgent;
  user: User;
  turn: StoredTurn;
  events: readonly Event[];
}

/**
 * Rebuilds the request of each model call of a turn from the journal, with the agent and its tools as they are now. The
 * page's context and the caller's own tools are stored nowhere, so they are missing.
 */
export async function rebuildPrompts({ store, ready, user, turn, events }: RebuildOptions): Promise<ModelRequest[]> {
  const { agent } = ready;
  const path = (await store.readPath(user, turn.id)).filter(({ turnId }) => turnId !== turn.id);
  const earlier = path.map(({ message }) => message);
  const question = foldEvents(events).messages[0];
  const known = new Set([...earlier, ...(question ? [question] : [])].map(({ id }) => id));
  const attachments = await loadAttachments({
    store: {
      readAttachmentText: store.readAttachmentText,
      readAttachments: async (...args) =>
        (await store.readAttachments(...args)).filter((file) => known.has(file.message_id)),
    },
    user,
    conversationId: turn.conversation_id,
    limits: modelLimits(agent),
  });
  const { offered, notes } = await ready.offer(user, {
    clientTools: attachments.tool ? [attachments.tool] : [],
    signal: AbortSignal.timeout(OFFER_TIMEOUT_MS),
  });
  const tools = question && isSummaryRequest(question) ? new Map() : offered;
  const history = keptHistory(earlier, agent.limits.history_messages);
  const zone = ready.zones(user.timezone ?? agent.server.timezone);
  return events.flatMap((event, index) => {
    if (event.type !== 'step-start') return [];
    const clock = { date: () => new Date(event.at) };
    const deps = { agent, user, zone, attached: attachments.shown, notes, history, tools, clock };
    const state = foldEvents(events.slice(0, index));
    return [toModelRequest({ state, deps }, { withTools: event.summary !== true })];
  });
}

/** The same cut as when the turn began: its own message counts as one of the limit. */
function keptHistory(earlier: readonly Message[], limit: number): Message[] {
  const texts = earlier.filter(isText).length;
  const dropped = texts + 1 - keptMessages(texts + 1, limit);
  let seen = 0;
  const start = earlier.findIndex((message) => isText(message) && ++seen > dropped);
  return start === -1 ? [] : [...sinceSummary(earlier.slice(start))];
}
