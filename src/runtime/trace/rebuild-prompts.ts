import { toModelRequest } from '../../agent/model-request.ts';
import { keptMessages } from '../../agent/prompt.ts';
import { foldEvents } from '../../agent/turn-state.ts';
import type { ModelRequest } from '../../models/model.ts';
import type { Agent } from '../../schema/agent.ts';
import type { Event } from '../../schema/conversation/event.ts';
import type { Message } from '../../schema/conversation/message.ts';
import { isText } from '../../schema/conversation/message.ts';
import { modelLimits } from '../../schema/model-limits.ts';
import type { User } from '../../schema/user.ts';
import type { Store, StoredTurn } from '../../store/store.ts';
import { handBackTool } from '../../team/hand-over-tool.ts';
import { memberName } from '../../team/member-name.ts';
import { readAs, speakersOf } from '../../team/speakers.ts';
import type { ReadyAgent } from '../agents/ready-agent.ts';
import { loadAttachments } from '../files/attachments.ts';
import { isSummaryRequest, sinceSummary } from '../turn/summary.ts';

const OFFER_TIMEOUT_MS = 10_000;

export interface RebuildOptions {
  store: Store;
  findAgent(name: string): ReadyAgent;
  user: User;
  turn: StoredTurn;
  events: readonly Event[];
}

/**
 * Rebuilds the request of each model call of a turn from the journal, with the agents and their tools as they are now.
 * The page's context and the caller's own tools are stored nowhere, so they are missing.
 */
export async function rebuildPrompts(options: RebuildOptions): Promise<ModelRequest[]> {
  const { store, findAgent, user, turn, events } = options;
  const { agent: first } = findAgent(turn.agent);
  const speakers = speakersOf(first);
  const path = (await store.readPath(user, turn.id)).filter(({ turnId }) => turnId !== turn.id);
  const earlier = path.map(({ message }) => message);
  const isNamed = events.some((event) => event.type === 'step-start' && event.agent !== undefined);
  const partsOf = async (name: string) => {
    const { name: agent } = speakers.get(name) ?? first;
    const parts = await readParts({ ...options, ready: findAgent(agent), earlier, first });
    const reader = { speaker: memberName(agent), first: memberName(first.name) };
    if (!isNamed) return parts;
    const read = (messages: readonly Message[]) => readAs(messages, { ...reader, isCurrent: true });
    return { ...parts, history: readAs(parts.history, reader), team: { read } };
  };
  const known = new Map<string, ReturnType<typeof partsOf>>();
  const requests = events.map(async (event, index) => {
    if (event.type !== 'step-start' || event.carried) return [];
    const name = event.agent ?? memberName(first.name);
    const parts = known.get(name) ?? partsOf(name);
    known.set(name, parts);
    const deps = { ...(await parts), user, clock: { date: () => new Date(event.at) } };
    const state = foldEvents(events.slice(0, index));
    return [toModelRequest({ state, deps }, { withTools: event.summary !== true })];
  });
  return (await Promise.all(requests)).flat();
}

interface PartsOptions extends RebuildOptions {
  /** The agent that replies. */
  ready: ReadyAgent;
  first: Agent;
  earlier: readonly Message[];
}

/** The parts of a request that all replies of one agent share. */
async function readParts({ store, ready, first, user, turn, events, earlier }: PartsOptions) {
  const { agent } = ready;
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
  const own = agent === first ? [] : [handBackTool(first)];
  const { offered, notes } = await ready.offer(user, {
    clientTools: attachments.tool ? [attachments.tool, ...own] : own,
    signal: AbortSignal.timeout(OFFER_TIMEOUT_MS),
  });
  const tools = question && isSummaryRequest(question) ? new Map() : offered;
  const history = keptHistory(earlier, agent.limits.history_messages);
  const zone = ready.zones(user.timezone ?? agent.server.timezone);
  return { agent, zone, attached: attachments.shown, notes, history, tools };
}

/** The same cut as when the turn began: its own message counts as one of the limit. */
function keptHistory(earlier: readonly Message[], limit: number): Message[] {
  const texts = earlier.filter(isText).length;
  const dropped = texts + 1 - keptMessages(texts + 1, limit);
  let seen = 0;
  const start = earlier.findIndex((message) => isText(message) && ++seen > dropped);
  return start === -1 ? [] : [...sinceSummary(earlier.slice(start))];
}
