import type { Clock } from '../../clock.ts';
import type { FileReader } from '../../files/file-reader.ts';
import type { Ids } from '../../ids.ts';
import type { Log } from '../../log.ts';
import type { ToolChoice } from '../../models/model.ts';
import type { Event } from '../../schema/conversation/event.ts';
import type { TokenUsage } from '../../schema/conversation/token-usage.ts';
import type { TurnStatus } from '../../schema/conversation/turn.ts';
import { parsePosition } from '../../schema/position.ts';
import type { User } from '../../schema/user.ts';
import type { TextCheck } from '../../schema/user-text.ts';
import type { BeginTurn, Store, StoredTurn, TurnLease } from '../../store/store.ts';
import type { Pot } from '../../team/pot.ts';
import type { Telemetry, TurnWatch } from '../../telemetry/telemetry.ts';
import type { DelegatedCall, Tool, ToolOutcome } from '../../tools/tool.ts';
import type { ReadyAgent } from '../agents/ready-agent.ts';
import { type AttachedFile, discardFiles } from '../files/attached-file.ts';
import type { Abandoned } from '../live/abandoned.ts';
import type { Hub } from '../live/hub.ts';
import type { LiveTurn } from '../live/live-turn.ts';
import type { Turns } from '../live/turns.ts';
import type { EventStream } from '../live/viewer.ts';
import { runTurnAttempt, type TurnAttempt } from './attempt.ts';
import type { ContextEntry } from './caller-context.ts';
import { noLongerKept } from './turn-errors.ts';

/**
 * A turn as a front sees it: its ids, and its events from the first (or from the position where the front joins) to the
 * last.
 */
export interface ChatTurn {
  turnId: string;
  conversationId: string;
  /** The turn's status when it was opened. */
  status: TurnStatus;
  /** Earlier events of the turn that are not sent again: the part before the answers that it now continues with. */
  before: readonly Event[];
  /** `return` = the reader left. A turn without other readers and without a key is then stopped. */
  events: EventStream;
  /**
   * Whether the live turn is paused after this event until a running call's question is answered, so that readers may
   * leave.
   */
  pausesAt?(event: Event): boolean;
}

/** The facts of an ended turn, for measurements. */
export interface EndedTurn {
  agent: string;
  status: TurnStatus;
  ms: number;
  usage?: TokenUsage | undefined;
}

export interface ChatDeps {
  store: Store;
  turns: Turns;
  abandoned: Abandoned;
  hub: Hub;
  clock: Clock;
  ids: Ids;
  findAgent(name: string): ReadyAgent;
  /** Returns the reader of attached files; loaded with the first one. */
  openReader(): Promise<FileReader>;
  telemetry?: Telemetry;
  /** Every user's text passes these too. */
  textChecks?: readonly TextCheck[];
  /** Runs turns of members of teams. */
  delegate(...work: [ChatDeps, User, Delegating]): Promise<ToolOutcome>;
  log?: Log;
  onTurn?: ((turn: EndedTurn) => void) | undefined;
}

/** A call of one attempt at a turn that a member works for. */
export interface Delegating extends DelegatedCall {
  /** Lease of the turn that delegates. */
  lease: TurnLease;
  pot: Pot;
}

/** An attempt that can start: its lease, the events so far and the parts that its request brings. */
export interface LeasedRun {
  agent: string;
  lease: TurnLease;
  events: readonly Event[];
  idempotencyKey?: string;
  keepsGoing?: boolean;
  clientTools?: readonly Tool[];
  files?: readonly AttachedFile[];
  context?: readonly ContextEntry[];
  /** Notices of this attempt, shown to the user only. */
  notices?: readonly string[];
  memory?: TurnAttempt['memory'];
  toolChoice?: ToolChoice;
  endsAfterCalls?: boolean;
  traceparent?: string;
  /** Present for a turn of a member: the limits that it shares with its team. */
  pot?: Pot;
}

/** The parts of an attempt that the write of its begin has. */
export function ofBegin({ isNew, seed, write }: BeginTurn): Pick<LeasedRun, 'events' | 'memory'> {
  return { events: write.events, memory: isNew && !seed ? write.metadata : undefined };
}

/** Starts an attempt at a turn whose lease we hold. The attempt is live: every front can view it. */
export function startTurn(deps: ChatDeps, user: User, input: LeasedRun): LiveTurn {
  const { store, clock, ids, openReader } = deps;
  const { lease, events, files = [], context = [], notices = [] } = input;
  const ready = deps.findAgent(input.agent);
  const clientTools = input.clientTools ?? [];
  const attempt: Omit<TurnAttempt, 'traceparent'> = {
    store,
    clock,
    ids,
    openReader,
    user,
    ready,
    findAgent: deps.findAgent,
    lease,
    events,
    clientTools,
    files,
    context,
    notices,
    memory: input.memory,
    toolChoice: input.toolChoice,
    ...(input.endsAfterCalls && { endsAfterCalls: true }),
    pot: input.pot,
    delegate: ready.agent.members && ((pot) => (call) => deps.delegate(deps, user, { ...call, lease, pot })),
    ...(deps.log && { log: deps.log }),
  };
  const watch = watchAttempt(deps, { ready, lease, traceparent: input.traceparent });
  const live = deps.turns.start(user, {
    turnId: lease.turnId,
    conversationId: lease.conversationId,
    first: events,
    isMember: input.pot !== undefined,
    keepsGoing: input.keepsGoing ?? input.idempotencyKey !== undefined,
    run: (signal, questions) => runTurnAttempt({ ...attempt, traceparent: watch?.traceparent }, signal, questions),
    watch: watch?.take,
  });
  deps.hub.began(lease.conversationId);
  reportEnd(deps, input.agent, live);
  live.done
    .catch((error: unknown) => {
      deps.log?.('the journal of a turn failed', { turn: lease.turnId, error });
      deps.abandoned.add(user, lease);
    })
    .then(() => discardFiles(files));
  return live;
}

function reportEnd({ onTurn }: ChatDeps, agent: string, { done }: LiveTurn): void {
  if (!onTurn) return;
  done.then(
    ({ status, execution_time_ms: ms, tokens_used: usage }) => onTurn({ agent, status, ms, usage }),
    () => {},
  );
}

/** Returns a live turn from its first event on, or after the events that are not sent again. */
export function viewTurn(live: LiveTurn, before: readonly Event[] = []): ChatTurn {
  const last = before.at(-1);
  const events = live.view(last && parsePosition(last.id));
  const { turnId, conversationId, isPausedAt: pausesAt } = live;
  const status = live.isPaused() ? 'waiting' : 'running';
  return { turnId, conversationId, status, before, events, pausesAt };
}

/** Returns a turn that has ended or waits, from the store. */
export async function replayTurn({ store }: ChatDeps, user: User, turn: StoredTurn): Promise<ChatTurn> {
  const events = await store.readEvents(user, turn.id);
  // A stream without an end would look like a lost connection.
  if (events.length === 0 && turn.attempt > 0) throw noLongerKept();
  return replayEvents(turn, events);
}

export function replayEvents(turn: StoredTurn, events: readonly Event[], before: readonly Event[] = []): ChatTurn {
  const { id: turnId, conversation_id: conversationId, status } = turn;
  return { turnId, conversationId, status, before, events: streamOf(events) };
}

async function* streamOf(events: readonly Event[]): AsyncGenerator<Event, undefined> {
  yield* events;
}

/** Passes the events of an attempt to telemetry; undefined if telemetry is off. Never throws. */
function watchAttempt(
  { telemetry, log }: { telemetry?: Telemetry; log?: Log },
  { ready, lease, traceparent }: Pick<TurnAttempt, 'ready' | 'lease'> & { traceparent: string | undefined },
): TurnWatch | undefined {
  const { turnId, conversationId, attempt } = lease;
  const watch = telemetry?.watchTurn({ agent: ready.agent, turnId, conversationId, attempt, traceparent });
  if (!watch) return undefined;
  const take = (event: Event) => {
    try {
      watch.take(event);
    } catch (error) {
      log?.('a trace could not be written', { error });
    }
  };
  return { ...watch, take };
}
