import { foldEvents } from '../../agent/turn-state.ts';
import type { CallAnswer, Event } from '../../schema/conversation/event.ts';
import { formatPosition } from '../../schema/position.ts';
import type { User } from '../../schema/user.ts';
import type { StoredTurn } from '../../store/store.ts';
import type { Tool } from '../../tools/tool.ts';
import { auditOfAnswers } from '../audit.ts';
import { checkAnswers } from './check-answers.ts';
import { awaitedTools } from './client-tools.ts';
import { type ChatDeps, type ChatTurn, type LeasedRun, startTurn, viewTurn } from './turn.ts';
import { turnBusyError } from './turn-errors.ts';

export interface ResumeInput
  extends Pick<LeasedRun, 'files' | 'context' | 'keepsGoing' | 'traceparent' | 'endsAfterCalls' | 'pot'> {
  turn: StoredTurn;
  /** Absent when the turn was cut off. */
  answers?: CallAnswer[];
  clientTools: readonly Tool[];
  idempotencyKey?: string;
  /** All events of the turn, if they are known. */
  events?: readonly Event[] | undefined;
}

/** Starts the next attempt from the journal: after a crash, or with the answers to a waiting turn. */
export function resumeTurn(deps: ChatDeps, user: User, input: ResumeInput): Promise<ChatTurn> {
  return deps.turns.starting(input.turn.id, () => takeAgain(deps, user, input));
}

async function takeAgain(deps: ChatDeps, user: User, input: ResumeInput): Promise<ChatTurn> {
  const { turn, answers, idempotencyKey, keepsGoing = true, files = [], context = [] } = input;
  // Throws before the turn is taken: an agent that is not here would leave it running for ever.
  deps.findAgent(turn.agent);
  const events = input.events ?? (await deps.store.readEvents(user, turn.id));
  const state = foldEvents(events);
  checkAnswers(state, answers ?? []);
  const attempt = turn.attempt + 1;
  const resume: Event = {
    type: 'turn-resume',
    id: formatPosition({ turn: turn.id, attempt, seq: 1, offset: 0 }),
    at: deps.clock.date().toISOString(),
    reason: answers ? 'answer' : 'retry',
    ...(answers && { answers }),
    ...(idempotencyKey && { key: idempotencyKey }),
  };
  const audit = auditOfAnswers(answers ?? [], state, user, resume.at);
  const lease = await deps.store.continueTurn(user, { turnId: turn.id, attempt, write: { events: [resume], audit } });
  if (!lease) throw turnBusyError({ ...turn, status: 'running' });
  const clientTools = [...input.clientTools, ...awaitedTools(state)];
  const live = startTurn(deps, user, {
    agent: turn.agent,
    keepsGoing,
    clientTools,
    files,
    context,
    lease,
    events: [...events, resume],
    ...(input.traceparent && { traceparent: input.traceparent }),
    ...(input.endsAfterCalls && { endsAfterCalls: true }),
    ...(input.pot && { pot: input.pot }),
  });
  return viewTurn(live, answers ? events : []);
}
