import type { Runtime } from '../../runtime/runtime.ts';
import type { Event } from '../../schema/conversation/event.ts';
import { A2aHistory, type A2aList } from '../../schema/fronts/a2a.ts';
import { ConversationId } from '../../schema/ids.ts';
import type { User } from '../../schema/user.ts';
import { taskNotFound } from './a2a-in.ts';
import { type A2aTask, createTaskReader, toTaskState } from './a2a-task.ts';

/** The tasks of one user and agent. */
export interface TaskOwner {
  runtime: Runtime;
  user: User;
  agent: string;
}

export interface ReadTask {
  task: A2aTask;
  conversationId: string;
  events: Event[];
}

/** A task of this user and agent; another one's reads as if it did not exist. */
export async function readTask({ runtime, user, agent }: TaskOwner, id: string, params?: unknown): Promise<ReadTask> {
  const turnId = ConversationId.safeParse(id).data;
  const events = turnId ? await runtime.readEvents(user, turnId) : [];
  const [start] = events;
  if (!turnId || start?.type !== 'turn-start' || start.agent !== agent) throw taskNotFound();
  const conversationId = start.conversation_id;
  const conversation = await runtime.readConversation(user, conversationId);
  const reader = createTaskReader({ taskId: turnId, contextId: conversation?.thread_id ?? conversationId });
  for (const event of events) reader.take(event);
  const { historyLength } = A2aHistory.parse(params ?? {});
  return { task: reader.task(historyLength ?? 0), conversationId, events };
}

/** A list reads at most this many conversations, the newest first, and as many turns of each. */
const MAX_CONVERSATIONS = 200;
const PAGE_SIZE = 50;

/** Lists tasks, the newest first. A token is the id of the last task of a page. */
export async function listTasks(owner: TaskOwner, query: A2aList): Promise<Record<string, unknown>> {
  const { status, statusTimestampAfter: after, includeArtifacts } = query;
  const pageSize = query.pageSize ?? PAGE_SIZE;
  const turns = (await Promise.all((await findContexts(owner, query)).map((id) => findTurns(owner, id)))).flat();
  const fitting = turns.filter(
    (turn) =>
      (!status || toTaskState(turn.status) === status) &&
      (!after || Date.parse(turn.ended_at ?? turn.created_at) >= Date.parse(after)),
  );
  fitting.sort((a, b) => (a.id < b.id ? 1 : -1));
  const start = query.pageToken ? fitting.findIndex(({ id }) => id === query.pageToken) + 1 : 0;
  const page = fitting.slice(start, start + pageSize);
  const tasks = await Promise.all(page.map(async ({ id }) => (await readTask(owner, id, query)).task));
  const hasMore = start + page.length < fitting.length;
  return {
    tasks: tasks.map(({ artifacts, ...task }) => ({ ...task, ...(includeArtifacts && artifacts && { artifacts }) })),
    nextPageToken: (hasMore && page.at(-1)?.id) || '',
    pageSize,
    totalSize: fitting.length,
  };
}

async function findContexts({ runtime, user, agent }: TaskOwner, { contextId }: A2aList): Promise<string[]> {
  if (!contextId) {
    const found = await runtime.listConversations(user, { agent, limit: MAX_CONVERSATIONS });
    return found.map(({ id }) => id);
  }
  const own = ConversationId.safeParse(contextId).data;
  const found =
    (own && (await runtime.readConversation(user, own))) || (await runtime.readThread(user, agent, contextId));
  return found?.agent === agent ? [found.id] : [];
}

/** Messages from before the first run have no turn that ran. */
async function findTurns({ runtime, user }: TaskOwner, conversationId: string) {
  const turns = await runtime.describeTurns(user, conversationId, { limit: MAX_CONVERSATIONS });
  return turns.filter(({ attempt }) => attempt > 0);
}
