import { type Clock, systemClock } from '../clock.ts';
import type { Model } from '../models/model.ts';
import type { Agent } from '../schema/agent.ts';
import type { Event } from '../schema/event.ts';
import type { JsonObject } from '../schema/json.ts';
import type { Message, UserMessage } from '../schema/message.ts';
import { newUlid } from '../schema/new-ulid.ts';
import type { TurnResult } from '../schema/turn.ts';
import type { User } from '../schema/user.ts';
import { cleanUserText, type TextCheck } from '../schema/user-text.ts';
import type { OfferedTool } from '../tools/offer.ts';
import { createValidator } from '../tools/validate.ts';
import type { AttachedTexts } from './attached-text.ts';
import type { Journal } from './journal.ts';
import type { LateTools } from './late-tools.ts';
import { runTurn } from './loop.ts';
import { createMemoryJournal } from './memory-journal.ts';
import type { TurnPlugin } from './plugin.ts';
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
  /** What the model and the user must know of the tools. */
  notes?: readonly string[];
  /** Tools of servers that are still starting. */
  late?: LateTools;
  /** Notices for the user alone. */
  notices?: readonly string[];
  clock?: Clock;
  signal?: AbortSignal;
  /** The message passes these too. */
  textChecks?: readonly TextCheck[];
  /** Kept with the message. */
  metadata?: JsonObject;
  /** What comes between the message and the first question to the model, such as reading files. */
  prepare?(begun: BegunTurn): AsyncGenerator<Event, Prepared>;
}

/** A turn that has its message. */
export interface BegunTurn {
  state: TurnState;
  journal: Journal;
  clock: Clock;
  signal: AbortSignal;
}

/** What the turn goes on with. */
export interface Prepared {
  tools: ReadonlyMap<string, OfferedTool>;
  notes: readonly string[];
  late?: LateTools;
  attached?: AttachedTexts;
}

/** One turn that nobody stores: its events, and its result as the generator's return value. */
export async function* runStateless(turn: StatelessTurn): AsyncGenerator<Event, TurnResult> {
  const { agent, user, model, clock = systemClock } = turn;
  const content = cleanUserText(turn.message, agent.limits.message_chars, turn.textChecks);
  const timestamp = clock.date().toISOString();
  const message: UserMessage = { id: newUlid(), role: 'user', content, timestamp, metadata: turn.metadata ?? {} };
  const turnId = newUlid();
  const journal = createMemoryJournal({ turnId, clock });
  const state = foldEvents([]);
  const [start] = await journal.commit({
    type: 'turn-start',
    turn_id: turnId,
    conversation_id: newUlid(),
    agent: agent.name,
    message,
  });
  if (start) {
    applyEvent(state, start);
    yield start;
  }
  const stopper = new AbortController();
  const signal = turn.signal ? AbortSignal.any([turn.signal, stopper.signal]) : stopper.signal;
  try {
    const startedAt = clock.now();
    const given: Prepared = { tools: turn.tools, notes: turn.notes ?? [], ...(turn.late && { late: turn.late }) };
    const prepared = turn.prepare ? yield* turn.prepare({ state, journal, clock, signal }) : given;
    const zone = createZones()(user.timezone ?? agent.server.timezone);
    const { history = [], notices = [] } = turn;
    const validator = async () => createValidator();
    const spentMs = clock.now() - startedAt;
    const deps = {
      agent,
      user,
      model,
      ...prepared,
      notices,
      history,
      journal,
      validator,
      clock,
      spentMs,
      zone,
      signal,
    };
    return yield* runTurn(state, { ...deps, ...(turn.plugins && { plugins: turn.plugins }) });
  } finally {
    stopper.abort(new Error('the caller left'));
  }
}
