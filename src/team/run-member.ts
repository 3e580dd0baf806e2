import { isInterruption } from '../agent/running-turn.ts';
import { askedCalls, foldEvents } from '../agent/turn-state.ts';
import { AppError } from '../errors.ts';
import type { CallAnswer, Event, EventOf } from '../schema/conversation/event.ts';
import type { ToolError } from '../schema/conversation/tool-call.ts';
import { isTurnEnded } from '../schema/conversation/turn.ts';
import type { StoredResult, StoredTurn } from '../store/store.ts';
import { isTimeout } from '../tools/run-call.ts';
import type { DelegatedCall, ToolOutcome } from '../tools/tool.ts';
import { memberName } from './member-name.ts';
import { countAll, type Pot, takeDelegation } from './pot.ts';

/** A member sums up within its part of the time, so that its answer arrives before the call's own limit. */
export const MEMBER_SHARE = 0.9;

/** Answers for calls of a member's turn, and the key under which they are taken once. */
interface GivenAnswers {
  answers?: CallAnswer[];
  idempotencyKey?: string;
}

/** A member's turn that runs in this process. */
export interface LiveMember {
  turnId: string;
  /** Its further events. They end with its end or its wait. */
  events(): AsyncIterable<Event>;
  answer(answers: readonly CallAnswer[]): void;
  cancel(): void;
  interrupt(): void;
}

/** The turns that a call's member may have: at most one. */
export interface MemberTurns {
  find(): Promise<StoredTurn | undefined>;
  /** Undefined if the turn exists already. */
  begin(message: string, pot: Pot): Promise<LiveMember | undefined>;
  /** Undefined if another attempt was first. */
  resume(turn: StoredTurn, given: GivenAnswers, pot: Pot): Promise<LiveMember | undefined>;
  /** A running turn: followed if it runs here, else awaited. */
  join(turn: StoredTurn, signal: AbortSignal): Promise<LiveMember | undefined>;
  readEvents(turn: StoredTurn): Promise<Event[]>;
  readResult(turn: StoredTurn): Promise<StoredResult | undefined>;
}

interface Work extends DelegatedCall {
  turns: MemberTurns;
  pot: Pot;
}

/**
 * Runs a member's turn for a call. Only this call can have the turn's thread, so the turn begins once: an attempt after
 * a crash finds it and continues it by its own journal.
 */
export async function runMember(work: Work): Promise<ToolOutcome> {
  try {
    return await (work.remote ? (refuseMore(work) ?? work.remote(work)) : advance(work));
  } catch (error) {
    // Without the store nobody knows how far the member is. The next attempt continues both turns.
    const isLost = error instanceof AppError && ['store_unavailable', 'turn_taken_over'].includes(error.code);
    if (isLost) return stays('running');
    throw error;
  }
}

/** A call that ran before was counted then. */
function refuseMore({ call, pot }: Work): ToolOutcome | undefined {
  const refusal = call.state === 'pending' && !call.reads_answer ? takeDelegation(pot) : undefined;
  return refusal === undefined ? undefined : failed('ToolInvocationError', refusal);
}

async function advance(work: Work): Promise<ToolOutcome> {
  const { turns, call, context, pot } = work;
  const { signal } = context;
  let turn = call.state === 'pending' ? undefined : await turns.find();
  let ran = false;
  while (!isInterruption(signal)) {
    if (turn && isTurnEnded(turn.status)) return outcomeOf(work, turn);
    // The process stops, or the member's journal could not be written.
    if (turn?.status === 'interrupted' && ran && !signal.aborted) break;
    const below = { ...pot, depth: pot.depth + 1, limitMs: MEMBER_SHARE * (context.remainingMs?.() ?? 0) };
    if (!turn) {
      if (signal.aborted) return failed('ToolInvocationError', 'The task was cancelled before it began.');
      const refusal = refuseMore(work);
      if (refusal) return refusal;
      ran = await follow(work, await turns.begin(work.message, below));
    } else if (turn.status === 'running') {
      ran = await follow(work, await turns.join(turn, signal));
    } else {
      const events = await turns.readEvents(turn);
      const given = answersFor(events, work);
      if (turn.status === 'waiting' && !given.answers && !signal.aborted) return wait(work, turn, events);
      ran = await follow(work, await turns.resume(turn, given, below));
    }
    turn = await turns.find();
  }
  return stays('running');
}

function failed(error_type: ToolError['error_type'], message: string) {
  return { error: { error_type, message } };
}

function stays(as: 'waiting' | 'running'): ToolOutcome {
  return { ...failed('ToolInvocationError', 'This call has no outcome yet.'), stays: as };
}

/** The answers that the member's turn has not taken yet. Each is taken once, by the event that brought it. */
function answersFor(events: readonly Event[], { answerTo }: Work): GivenAnswers {
  const taken = events.flatMap((event) => (event.type === 'turn-resume' ? (event.key?.split(' ') ?? []) : []));
  const given = askedCalls(foldEvents(events)).flatMap((id) => answerTo(id) ?? []);
  const fresh = given.filter(({ by }) => !taken.includes(by));
  const keys = new Set(fresh.map(({ by }) => by));
  return fresh.length > 0 ? { answers: fresh.map(({ answer }) => answer), idempotencyKey: [...keys].join(' ') } : {};
}

/** Follows a turn of this process to its end or its next wait. An abort of the call reaches the member first. */
async function follow({ agent, call, context, write }: Work, live: LiveMember | undefined): Promise<boolean> {
  if (!live) return false;
  const { signal } = context;
  const name = memberName(agent);
  const stop = () => (isInterruption(signal) ? live.interrupt() : live.cancel());
  const events = live.events();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    await write({ type: 'delegation', call_id: call.id, agent: name, turn_id: live.turnId });
    for await (const event of events) {
      if (event.type === 'tool-call-run') context.progress(`${name}: ${event.tool}`);
      if (event.type === 'tool-call-wait') void passUp(context, live, event);
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return true;
}

/** The person answers a member's question as one of the call itself. */
async function passUp({ ask }: DelegatedCall['context'], live: LiveMember, event: EventOf<'tool-call-wait'>) {
  const { call_id, wait } = event;
  if (wait.kind !== 'input') return;
  const { question: text, schema } = wait;
  const result = await ask({ text, ...(schema && { schema }) }).catch(() => null);
  live.answer([{ call_id, result }]);
}

/** The call waits for the calls that the member's turn waits for. */
async function wait({ agent, call, write }: Work, turn: StoredTurn, events: readonly Event[]): Promise<ToolOutcome> {
  const state = foldEvents(events);
  const open = askedCalls(state);
  const name = memberName(agent);
  const asking = open.flatMap((call_id) => {
    const wait = state.waits.get(call_id);
    const tool = state.calls.find(({ id }) => id === call_id)?.name ?? call_id;
    const of = state.members.get(call_id) ?? { tool, agent: name };
    return wait ? [write({ type: 'tool-call-wait', call_id, ...of, wait })] : [];
  });
  await Promise.all([...asking, write({ type: 'delegation', call_id: call.id, agent: name, turn_id: turn.id, open })]);
  return stays('waiting');
}

async function outcomeOf({ turns, agent, context: { signal } }: Work, turn: StoredTurn): Promise<ToolOutcome> {
  const result = await turns.readResult(turn);
  if (!result) return stays('running');
  const name = memberName(agent);
  const about = aboutOf(name, turn, result);
  const { status, content, finish_reason, sources, error, confidence, checks = [] } = result;
  if (status === 'completed' || status === 'max_iterations_reached') {
    const unsupported = checks.flatMap(({ text, found }) => (found ? [] : [text]));
    const facts = {
      ...(finish_reason !== 'completed' && { finish_reason }),
      ...(sources.length > 0 && { sources }),
      ...(confidence && { confidence }),
      ...(unsupported.length > 0 && { confidence: confidence ?? 'low', unsupported }),
    };
    return { result: { answer: content, ...facts }, about };
  }
  const ran = result.tool_calls.filter(({ read_only, state }) => !read_only && !['failed', 'pending'].includes(state));
  const effects = ran.map(({ name, state }) => `${name} ${state === 'completed' ? 'ran' : 'may have run'}`).join(', ');
  const after = effects && ` after ${effects}`;
  const isLate = signal.aborted && isTimeout(signal.reason);
  const end = `${isLate ? 'did not answer in time' : 'was cancelled while it worked'}${after}.`;
  const message = error ? `failed${after}: ${error.message}` : end;
  const type = error?.error_type ?? (isLate ? 'Timeout' : 'ToolInvocationError');
  return { ...failed(type, `${name} ${message}`), unknown: effects !== '', about };
}

function aboutOf(agent: string, { id: turn_id, status }: StoredTurn, result: StoredResult) {
  const { tokens_used, tool_calls } = result;
  const delegations = countAll(result.delegations);
  const used = { ...(tokens_used && { tokens_used }), ...(delegations > 0 && { delegations }) };
  const isReadOnly = tool_calls.every(({ read_only }) => read_only);
  return { delegation: { agent, turn_id, status, ...used }, ...(isReadOnly && { read_only: true }) };
}
