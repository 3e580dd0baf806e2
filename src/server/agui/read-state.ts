import { entriesThatBring } from '../../kinds/tool-kinds.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Agent } from '../../schema/agent.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { Task } from '../../schema/task.ts';
import type { User } from '../../schema/user.ts';
import { queryOf, type ReadState, type SharedState } from './agui-state.ts';

const TIMEOUT_MS = 2_000;
/** A state is sent at the start of every run, so it holds the first tasks only, by due date. */
const MAX_TASKS = 500;
const SEARCHED_TURNS = 10;

/**
 * Returns the reader of a conversation's shared state; undefined for an agent whose tools have none. A part that cannot
 * be read now is left out, and the run continues.
 */
export function stateReaderOf(
  runtime: Runtime,
  user: User,
  { agent, conversationId }: { agent: Agent; conversationId: string },
): ReadState | undefined {
  const hasTasks = entriesThatBring(agent, 'tasks').length > 0;
  const hasData = agent.domains.length > 0 || entriesThatBring(agent, 'data').length > 0;
  if (!hasTasks && !hasData) return undefined;
  return async () => ({
    ...(hasTasks && (await readTasks(runtime, user, agent.name))),
    ...(hasData && (await readLastQuery(runtime, user, conversationId))),
  });
}

async function readTasks(runtime: Runtime, user: User, agent: string): Promise<SharedState> {
  try {
    const tasks = await runtime.listTasks(user, { agent, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const shown = tasks.slice(0, MAX_TASKS).map((task) => [task.id, toShown(task)] as const);
    return { tasks: Object.fromEntries(shown) };
  } catch {
    return {};
  }
}

async function readLastQuery(runtime: Runtime, user: User, conversationId: string): Promise<SharedState> {
  const turns = await runtime.describeTurns(user, conversationId, { limit: SEARCHED_TURNS }).catch(() => []);
  for (const { result, calls = [] } of turns.filter(({ is_active }) => is_active)) {
    const query = (result?.tool_calls ?? calls).map(queryOf).findLast((one) => one !== undefined);
    if (query) return { last_query: query };
  }
  return {};
}

/** Without its owner, and without absent fields. */
function toShown({ user_id: _owner, ...task }: Task): JsonObject {
  return JSON.parse(JSON.stringify(task)) as JsonObject;
}
