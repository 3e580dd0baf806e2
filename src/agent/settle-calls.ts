import type { CallWait, Event, EventBody } from '../schema/conversation/event.ts';
import { isEnded, type ToolCall, type ToolError } from '../schema/conversation/tool-call.ts';
import type { Json, JsonObject } from '../schema/json.ts';
import { boundResult } from '../tools/bound-output.ts';
import { findKnownNames } from '../tools/known-names.ts';
import { hashDefinition, type OfferedTool } from '../tools/offer.ts';
import { prepareCall } from '../tools/prepare-call.ts';
import { failCall, runCall, runCalls } from '../tools/run-call.ts';
import { sanitizeText } from '../tools/sanitize.ts';
import { type CallQuestions, createCallQuestions } from './call-questions.ts';
import { repeatEarlier } from './earlier-calls.ts';
import { createEventQueue, type EventQueue } from './event-queue.ts';
import { handOver } from './hand-over.ts';
import { hasPlugins, isInterruption, type RunningTurn, toolsNow } from './running-turn.ts';
import { applyEvent, openCalls } from './turn-state.ts';

/**
 * Advances every open call to its outcome or to a wait for an answer. Calls run in parallel. Each call is written as
 * running before it starts, and its outcome is written before it is emitted. The reply's events (`said`), immediate
 * outcomes and the starts of calls share one write.
 */
export async function* settleCalls(turn: RunningTurn, said: readonly EventBody[]): AsyncGenerator<Event, void> {
  if (said.length === 0 && openCalls(turn.state).length === 0) return;
  const validator = await turn.deps.validator();
  const first: EventBody[] = [];
  const add = (bodies: readonly EventBody[]) => {
    for (const body of bodies) applyEvent(turn.state, body);
    first.push(...bodies);
  };
  add(said);
  if (said.length > 0 && hasPlugins(turn)) first.push(...(await (await import('./run-plugins.ts')).runOnCalls(turn)));
  add(repeatEarlier(turn));
  const tools = toolsNow(turn);
  const decided = openCalls(turn.state).map((call) => {
    const prepared = prepareCall({ call, tools, user: turn.deps.user, validator });
    return { call, prepared, event: decide(turn, call, prepared) };
  });
  add(decided.flatMap(({ event }) => (event === 'run' || event === 'wait' ? [] : event)));
  const starting = decided.filter(({ event }) => event === 'run');
  if (starting.length > 0) yield* runAll({ turn, starting, first });
  else if (first.length > 0) yield* await turn.deps.journal.commit(...first);
}

type Prepared = ReturnType<typeof prepareCall>;

/** Decides about an open call: run it, keep it waiting, make it wait, or end it at once. */
function decide(turn: RunningTurn, call: ToolCall, prepared: Prepared): EventBody | EventBody[] | 'run' | 'wait' {
  const { state, deps, deadlines } = turn;
  // On shutdown the call stays open: the next attempt continues it.
  if (isInterruption(deps.signal)) return 'wait';
  if (deps.signal.aborted) return 'run';
  const answer = state.answers.get(call.id)?.answer;
  const asked = state.asked.get(call.id);
  if (asked) return asked.some((id) => state.answers.has(id)) ? 'run' : 'wait';
  // A call that was sent to the client stays with the client, even if a tool of the same name is available now.
  if (state.waits.get(call.id)?.kind === 'client') {
    if (answer && 'result' in answer) return takeClientResult(turn, call, answer.result);
    return deps.endsAfterCalls ? refuse(turn, call, notReturned) : 'wait';
  }
  // A call that cannot run needs no approval: running it returns its error.
  if ('error' in prepared) return 'run';
  const { offered } = prepared;
  if (offered.tool.handsOverTo !== undefined) return handOver(turn, call, offered.tool.handsOverTo);
  if (offered.tool.runsOnClient) return { ...waitOf(call), wait: { kind: 'client' } };
  if (offered.tool.needsApproval) {
    const wait = approvalWait(offered, prepared.sentArguments);
    const isSame = isSameWait(state.waits.get(call.id), wait);
    if (!answer || !('approved' in answer)) return isSame ? 'wait' : askApproval(turn, call, wait);
    if (!answer.approved) return refuse(turn, call, denial(answer.reason));
    if (!isSame) return askApproval(turn, call, wait);
  }
  // A member that works already is ended by running its call again.
  if (deadlines.toolMs() === 0 && call.state !== 'running') return refuse(turn, call, noTimeLeft);
  return 'run';
}

type WaitEvent = Extract<EventBody, { type: 'tool-call-wait' }>;
type ApprovalWait = Extract<CallWait, { kind: 'approval' }>;

function approvalWait({ tool }: OfferedTool, sent_arguments: JsonObject): ApprovalWait {
  return { kind: 'approval', sent_arguments, definition: hashDefinition(tool) };
}

/** A person cannot recognize ids, so the request carries the names that our own tools gave for them. */
function askApproval(turn: RunningTurn, call: ToolCall, wait: ApprovalWait): WaitEvent {
  const tools = toolsNow(turn);
  const isOwn = (name: string) => tools.has(name) && !tools.get(name)?.tool.runsOnClient;
  const { history } = turn.deps;
  const names = findKnownNames(wait.sent_arguments, { history, calls: turn.state.calls, isOwn });
  return { ...waitOf(call), wait: names.length > 0 ? { ...wait, names } : wait };
}

function waitOf({ id, name }: ToolCall): Omit<WaitEvent, 'wait'> {
  return { type: 'tool-call-wait', call_id: id, tool: name };
}

/** An approval covers exact arguments and one definition. A change of either voids it, and the user is asked again. */
function isSameWait(asked: CallWait | undefined, { sent_arguments, definition }: ApprovalWait): boolean {
  if (asked?.kind !== 'approval' || asked.definition !== definition) return false;
  return JSON.stringify(asked.sent_arguments) === JSON.stringify(sent_arguments);
}

function denial(reason: string | undefined): ToolError {
  const because = reason ? `: ${reason}` : '.';
  return { error_type: 'PermissionDenied', message: `The user did not allow this call${because}` };
}

const noTimeLeft: ToolError = {
  error_type: 'Timeout',
  message: 'There was no time left to run this call. Answer with what is there.',
};

/** A stand-in for the result of a front-end call: providers refuse a call without a result. */
const notReturned: ToolError = {
  error_type: 'ToolInvocationError',
  message: 'The page did not return a result before the user sent the next message.',
};

function refuse({ deps }: RunningTurn, call: ToolCall, error: ToolError): EventBody {
  return { type: 'tool-call-end', call: failCall(call, error, deps.clock), message_id: deps.ids.ulid() };
}

/** The client ran the call. Its result is as untrusted as any tool's output. */
function takeClientResult({ deps }: RunningTurn, call: ToolCall, result: Json): EventBody {
  const completed_at = deps.clock.date().toISOString();
  const ended: ToolCall = { ...call, state: 'completed', result: boundResult(result), completed_at };
  return { type: 'tool-call-end', call: ended, message_id: deps.ids.ulid() };
}

interface StartingCall {
  call: ToolCall;
  prepared: Prepared;
}

interface ManyRuns {
  turn: RunningTurn;
  starting: StartingCall[];
  /** Events that are applied to the turn and not yet written. */
  first: EventBody[];
}

async function* runAll({ turn, starting, first }: ManyRuns): AsyncGenerator<Event, void> {
  const queue = createEventQueue();
  const { write, pass, open } = createRecord({ turn, starting, first, queue });
  const { parallel_tool_calls: parallel } = turn.deps.agent.loop;
  const questions = createCallQuestions({ turn, calls: starting.map(({ call }) => call), write, pass });
  const run = async (one: StartingCall) => {
    const ended = await runOne({ turn, ...one, write, pass, questions });
    await questions.end(ended);
    return ended;
  };
  const ran = runCalls(starting, { parallel, run });
  // By now each call of the first wave that runs has written its start.
  const done = Promise.all([ran, open()]).then(queue.end, queue.fail);
  yield* queue.events();
  await done;
}

/**
 * Batches the events of parallel calls: all events of one round of the event loop share a write. Before `open` is
 * called it collects; everything collected is written after `first`, in the same write.
 */
function createRecord({ turn, starting, first, queue }: ManyRuns & { queue: EventQueue }) {
  const { state, deps } = turn;
  const isAlone = starting.length === 1;
  const opened = Promise.withResolvers<Event[]>();
  // Starts are emitted one round later, when the calls have really begun.
  const emitted = opened.promise.then(async (events) => {
    await nextRound();
    queue.push(...events);
  });
  let isOpen = false;
  let batch: EventBody[] = [];
  let writing: Promise<void> | undefined;
  const writeBatch = async () => {
    await emitted;
    if (!isAlone) await nextRound();
    const bodies = batch;
    batch = [];
    writing = undefined;
    queue.push(...(await deps.journal.commit(...bodies)));
  };
  return {
    async write(body: EventBody): Promise<void> {
      applyEvent(state, body);
      if (!isOpen) {
        first.push(body);
        await opened.promise;
        return;
      }
      batch.push(body);
      writing ??= writeBatch();
      await writing;
    },
    /** Emits a transient event after the stored event that it belongs to. */
    pass(body: EventBody): void {
      const event = deps.journal.note(body);
      emitted.then(() => queue.push(event));
    },
    open(): Promise<void> {
      isOpen = true;
      opened.resolve(deps.journal.commit(...first));
      return emitted;
    },
  };
}

const nextRound = () => new Promise<void>((resolve) => setImmediate(resolve));

interface OneRun extends StartingCall {
  turn: RunningTurn;
  write(body: EventBody): Promise<void>;
  pass(body: EventBody): void;
  questions: CallQuestions;
}

async function runOne({ turn, call, prepared, write, pass, questions }: OneRun): Promise<ToolCall> {
  const { deps, state, deadlines } = turn;
  const { retry } = deps.agent.loop;
  if (isInterruption(deps.signal)) return call;
  if (deadlines.toolMs() === 0 && !deps.signal.aborted && call.state !== 'running' && !call.delegation) {
    const late = failCall(call, noTimeLeft, deps.clock);
    await write({ type: 'tool-call-end', call: late, message_id: deps.ids.ulid() });
    return late;
  }
  const tool = 'offered' in prepared ? prepared.offered.tool : undefined;
  const marks = { ...(tool?.readOnly && { read_only: true }), ...(tool?.resumable === true && { resumable: true }) };
  const { delegate } = deps;
  const answerTo = (id: string) => state.answers.get(id);
  const { answer, ...ended } = await runCall({
    call,
    prepared,
    user: deps.user,
    conversationId: state.conversationId,
    turnId: state.turnId,
    ...(deps.traceparent && { traceparent: deps.traceparent(call.id) }),
    clock: deps.clock,
    signal: deps.signal,
    ...(deps.mayAct && { mayAct: deps.mayAct }),
    timeoutMs: deadlines.toolMs(Boolean(tool?.resumable)),
    retryAttempts: retry.enabled ? retry.attempts : 0,
    onRun: (run) => write({ type: 'tool-call-run', call_id: call.id, tool: call.name, ...run, ...marks }),
    progress: (text) => pass({ type: 'tool-call-progress', call_id: call.id, text: sanitizeText(text) }),
    ask: (question) => questions.ask(call, question),
    ...(delegate && { delegate: (to, context) => delegate({ ...to, call, context, write, answerTo }) }),
    onThrow: (error) => deps.log?.('a tool threw', { tool: call.name, call: call.id, error }),
  });
  const unsent = answer !== undefined && { answer };
  if (isEnded(ended.state)) await write({ type: 'tool-call-end', call: ended, message_id: deps.ids.ulid(), ...unsent });
  return ended;
}
