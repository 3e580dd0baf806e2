import { type Clock, systemClock } from '../clock.ts';
import type { Model } from '../models/model.ts';
import type { Agent } from '../schema/agent.ts';
import type { Event } from '../schema/event.ts';
import { newUlid } from '../schema/ids.ts';
import type { Message, UserMessage } from '../schema/message.ts';
import type { TurnResult } from '../schema/turn.ts';
import type { User } from '../schema/user.ts';
import { cleanUserText } from '../schema/user-text.ts';
import type { OfferedTool } from '../tools/offer.ts';
import { createValidator } from '../tools/validate.ts';
import { runTurn } from './loop.ts';
import { createMemoryJournal } from './memory-journal.ts';
import type { TurnPlugin } from './plugin.ts';
import { createZones } from './time-zone.ts';
import { applyEvent, foldEvents } from './turn-state.ts';

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
  clock?: Clock;
  signal?: AbortSignal;
}

/** One turn that nobody stores: its events, and its result as the generator's return value. */
export async function* runStateless(turn: StatelessTurn): AsyncGenerator<Event, TurnResult> {
  const { agent, user, model, tools, clock = systemClock } = turn;
  const content = cleanUserText(turn.message, agent.limits.message_chars);
  const timestamp = clock.date().toISOString();
  const message: UserMessage = { id: newUlid(), role: 'user', content, timestamp, metadata: {} };
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
    const zone = createZones()(user.timezone ?? agent.server.timezone);
    const history = turn.history ?? [];
    const notes = turn.notes ?? [];
    const validator = async () => createValidator();
    const deps = { agent, user, model, tools, notes, history, journal, validator, clock, zone, signal };
    return yield* runTurn(state, { ...deps, ...(turn.plugins && { plugins: turn.plugins }) });
  } finally {
    stopper.abort(new Error('the caller left'));
  }
}
