import { AppError } from '../../errors.ts';
import { storedUser } from '../../identity/user.ts';
import { isObject, type JsonObject } from '../../schema/json.ts';
import type { User } from '../../schema/user.ts';
import type { LeftTurn } from '../../store/shared.ts';
import type { ContextEntry } from '../turn/caller-context.ts';
import { createClientTool } from '../turn/client-tools.ts';
import { resumeTurn } from '../turn/resume-turn.ts';
import type { ChatDeps } from '../turn/turn.ts';

export interface TakeOver {
  close(): Promise<void>;
}

/**
 * How often dead servers are looked for. The pause varies by half, so that servers do not look at the same moment. The
 * longest one leaves a second of the promised two for the takeover itself.
 */
const EVERY_MS = 700;
const AT_ONCE = 50;

/** Continues turns of dead servers whose requests asked to go on, and gives up all turns when this server counts as dead. */
export function startTakeOver(deps: ChatDeps): TakeOver {
  const { store, turns, log } = deps;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let isClosed = false;
  const stopLost = store.onLost(() => {
    log?.('this server lost its lease; its turns are left to other servers', { turns: turns.active });
    turns.interruptAll();
  });

  const look = async () => {
    await store.recover();
    for (const left of await store.listToContinue(AT_ONCE)) {
      if (isClosed || !(await continueLeft(deps, left))) return;
    }
  };
  const schedule = () => {
    if (isClosed) return;
    timer = setTimeout(
      () => {
        running = look()
          .catch((error: unknown) => log?.('turns of dead servers could not be looked for', { error }))
          .then(schedule);
      },
      EVERY_MS * (0.5 + Math.random()),
    ).unref();
  };
  schedule();
  return {
    async close() {
      isClosed = true;
      stopLost();
      clearTimeout(timer);
      await running;
    },
  };
}

/** Continues one turn; false if there is no room for more. */
async function continueLeft(deps: ChatDeps, { turn, userId, request }: LeftTurn): Promise<boolean> {
  const user = storedUser(userId, userFacts(request));
  let place: { release(): void };
  try {
    place = deps.turns.take(user);
  } catch (error) {
    // A single user may be at a limit, or the whole server is full.
    return error instanceof AppError && error.code === 'over_capacity' && deps.turns.hasRoom();
  }
  try {
    const taken = await resumeTurn(deps, user, { turn, ...factsOf(request), keepsGoing: true });
    await taken.events.return?.();
  } catch (error) {
    // Another server was first, or the agent is not served here.
    if (!(error instanceof AppError)) throw error;
  } finally {
    place.release();
  }
  return true;
}

/** The facts that another server needs to continue a turn by itself. */
export function requestFacts(
  {
    clientTools = [],
    context = [],
  }: Pick<Parameters<typeof resumeTurn>[2], 'context'> & {
    clientTools?: Parameters<typeof resumeTurn>[2]['clientTools'];
  },
  { name, timezone, groups }: Pick<User, 'name' | 'timezone' | 'groups'>,
): JsonObject {
  const tools = clientTools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return {
    ...(tools.length > 0 && { tools }),
    ...(context.length > 0 && { context: context.map(({ description, value }) => ({ description, value })) }),
    ...(name !== undefined && { name }),
    ...(timezone !== undefined && { timezone }),
    ...(groups && { groups }),
  };
}

function userFacts({ name, timezone, groups }: JsonObject): Parameters<typeof storedUser>[1] {
  return {
    ...(typeof name === 'string' && { name }),
    ...(typeof timezone === 'string' && { timezone }),
    ...(Array.isArray(groups) && { groups: groups.map(String) }),
  };
}

function factsOf({ tools, context }: JsonObject) {
  const given = Array.isArray(tools) ? tools.filter(isObject) : [];
  const entries = Array.isArray(context) ? context.filter(isObject) : [];
  return {
    clientTools: given.map(({ name, description, inputSchema }) =>
      createClientTool({
        name: String(name),
        description: String(description),
        ...(isObject(inputSchema) && { inputSchema }),
      }),
    ),
    context: entries.map(
      ({ description, value }): ContextEntry => ({ description: String(description), value: String(value) }),
    ),
  };
}
