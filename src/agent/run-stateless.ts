import { type Clock, systemClock } from '../clock.ts';
import { type Ids, systemIds } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Model, Pictures } from '../models/model.ts';
import type { Agent } from '../schema/agent.ts';
import type { Event } from '../schema/conversation/event.ts';
import type { Message, UserMessage } from '../schema/conversation/message.ts';
import type { TurnResult } from '../schema/conversation/turn.ts';
import type { JsonObject } from '../schema/json.ts';
import type { User } from '../schema/user.ts';
import { cleanUserText, type TextCheck } from '../schema/user-text.ts';
import type { OfferedTool } from '../tools/offer.ts';
import type { AttachedTexts } from './attached-text.ts';
import type { Journal } from './journal.ts';
import type { LateTools } from './late-tools.ts';
import { runTurn } from './loop.ts';
import { createMemoryJournal } from './memory-journal.ts';
import type { TurnPlugin } from './plugin.ts';
import type { TurnBudget } from './running-turn.ts';
import { createZones } from './time-zone.ts';
import { applyEvent, foldEvents, type TurnState } from './turn-state.ts';

export interface StatelessTurn {
  agent: Agent;
  user: User;
  message: string;
  history?: readonly Message[];
  model: Model;
  tools: ReadonlyMap<string, OfferedTool>;
  plugins?: readonly TurnPlugin[];
  /** Facts about the tools for the model and the user. */
  notes?: readonly string[];
  /** Tools of servers that are still starting. */
  late?: LateTools;
  /** Notices for the user alone. */
  notices?: readonly string[];
  /** Receives the exceptions of tools. */
  log?: Log;
  clock?: Clock;
  ids?: Ids;
  signal?: AbortSignal;
  /** Additional checks of the message text. */
  textChecks?: readonly TextCheck[];
  /** Stored with the message. */
  metadata?: JsonObject;
  /** The JSON Schema of the answer, in place of the agent's own. */
  responseFormat?: JsonObject;
  budget?: TurnBudget | undefined;
  /** Runs between the message and the first model request, for example to read files. */
  prepare?(begun: BegunTurn): AsyncGenerator<Event, Prepared>;
}

/** A turn whose message has been accepted. */
export interface BegunTurn {
  state: TurnState;
  journal: Journal;
  clock: Clock;
  signal: AbortSignal;
}

/** Input of the loop after `prepare`. */
export interface Prepared {
  tools: ReadonlyMap<string, OfferedTool>;
  notes: readonly string[];
  late?: LateTools;
  attached?: AttachedTexts;
  pictures?: Pictures;
}

/** Runs a turn without a store. Yields its events and returns its result. */
export async function* runStateless(turn: StatelessTurn): AsyncGenerator<Event, TurnResult> {
  const { agent, user, clock = systemClock, ids = systemIds } = turn;
  const content = cleanUserText(turn.message, agent.limits.message_chars, turn.textChecks);
  const timestamp = clock.date().toISOString();
  const message: UserMessage = { id: ids.ulid(), role: 'user', content, timestamp, metadata: turn.metadata ?? {} };
  const turnId = ids.ulid();
  const journal = createMemoryJournal({ turnId, clock });
  const state = foldEvents([]);
  const [start] = await journal.commit({
    type: 'turn-start',
    turn_id: turnId,
    conversation_id: ids.ulid(),
    agent: agent.name,
    message,
    ...(turn.responseFormat && { response_format: turn.responseFormat }),
  });
  if (start) {
    applyEvent(state, start);
    // The id above lasts for one turn only: tools must not take it for a conversation.
    state.conversationId = '';
    yield start;
  }
  const stopper = new AbortController();
  const signal = turn.signal ? AbortSignal.any([turn.signal, stopper.signal]) : stopper.signal;
  try {
    const startedAt = clock.now();
    const given: Prepared = { tools: turn.tools, notes: turn.notes ?? [], ...(turn.late && { late: turn.late }) };
    const prepared = turn.prepare ? yield* turn.prepare({ state, journal, clock, signal }) : given;
    const zone = createZones()(user.timezone ?? agent.server.timezone);
    const validator = async () => (await import('../tools/validate.ts')).createValidator();
    const own = { journal, validator, clock, ids, spentMs: clock.now() - startedAt, zone, signal };
    return yield* runTurn(state, { history: [], notices: [], ...turn, ...prepared, ...own });
  } finally {
    stopper.abort(new Error('the caller left'));
  }
}
