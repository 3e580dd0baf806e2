import type { Event, EventBody } from '../schema/event.ts';
import type { Json, JsonObject } from '../schema/json.ts';
import { newUlid } from '../schema/new-ulid.ts';
import type { ToolCall, ToolError } from '../schema/tool-call.ts';
import { boundResult } from '../tools/bound-output.ts';
import { hashDefinition, type OfferedTool } from '../tools/offer.ts';
import { prepareCall } from '../tools/prepare-call.ts';
import { failCall, runCall } from '../tools/run-call.ts';
import { runCalls } from '../tools/run-calls.ts';
import { sanitizeText } from '../tools/sanitize.ts';
import { repeatEarlier } from './earlier-calls.ts';
import { createEventQueue, type EventQueue } from './event-queue.ts';
import { createQuestionDesk, type QuestionDesk } from './question-desk.ts';
import { runOnCalls } from './run-plugins.ts';
import { isInterruption, type RunningTurn, toolsNow } from './running-turn.ts';
import { applyEvent, openCalls } from './turn-state.ts';

/**
 * Brings every open call as far as it can go: to its outcome, or to a wait for somebody's answer. Calls run in
 * parallel; each is written as running before it starts and its outcome before anyone hears of it. What the reply
 * `said`, what comes of its calls at once and those that start now are one write.
 */
export async function* settleCalls(turn: RunningTurn, said: readonly EventBody[]): AsyncGenerator<Event, void> {
  if (said.length === 0 && openCalls(turn.state).length === 0) return;
  const validator = await turn.deps.validator();
  for (const body of said) applyEvent(turn.state, body);
  const first = said.length > 0 ? [...said, ...(await runOnCalls(turn))] : [];
  const repeated = repeatEarlier(turn);
  for (const body of repeated) applyEvent(turn.state, body);
  first.push(...repeated);
  const tools = toolsNow(turn);
  const decided = openCalls(turn.state).map((call) => {
    const prepared = prepareCall({ call, tools, user: turn.deps.user, validator });
    return { call, prepared, event: decide(turn, call, prepared) };
  });
  const events = decided.flatMap(({ event }) => (event === 'run' || event === 'wait' ? [] : [event]));
  for (const body of events) applyEvent(turn.state, body);
  first.push(...events);
  const starting = decided.filter(({ event }) => event === 'run');
  if (starting.length > 0) yield* runAll({ turn, starting, first });
  else if (first.length > 0) yield* await turn.deps.journal.commit(...first);
}

type Prepared = ReturnType<typeof prepareCall>;

/** What happens to an open call now: it runs, goes on waiting, begins to wait, or has its outcome already. */
function decide(turn: RunningTurn, call: ToolCall, prepared: Prepared): EventBody | 'run' | 'wait' {
  const { state, deps, deadlines } = turn;
  // Nobody gave it up when the process stops: the next attempt goes on with it.
  if (isInterruption(deps.signal)) return 'wait';
  if (deps.signal.aborted) return 'run';
  const answer = state.answers.get(call.id);
  // Whom a call was left to is on record: a tool of ours that has come since never takes it over.
  if (state.waits.get(call.id)?.kind === 'client') {
    if (answer && 'result' in answer) return bring(turn, call, answer.result);
    return deps.endsAfterCalls ? refuse(turn, call, notReturned) : 'wait';
  }
  // A call that cannot be made asks nobody: running it returns its error.
  if ('error' in prepared) return 'run';
  const { offered } = prepared;
  if (offered.tool.runsOnClient) return { ...waitOf(call), wait: { kind: 'client' } };
  if (offered.tool.needsApproval) {
    const wait = approvalWait(call, offered, prepared.sentArguments);
    if (!answer || !('approved' in answer)) return isSameWait(turn, call, wait) ? 'wait' : wait;
    if (!answer.approved) return refuse(turn, call, denial(answer.reason));
    if (!isSameWait(turn, call, wait)) return wait;
  }
  if (deadlines.toolMs() === 0) return refuse(turn, call, noTimeLeft);
  return 'run';
}

type WaitEvent = Extract<EventBody, { type: 'tool-call-wait' }>;

function approvalWait(call: ToolCall, offered: OfferedTool, sent: JsonObject): WaitEvent {
  const definition = hashDefinition(offered.tool);
  return { ...waitOf(call), wait: { kind: 'approval', sent_arguments: sent, definition } };
}

function waitOf({ id, name }: ToolCall): Omit<WaitEvent, 'wait'> {
  return { type: 'tool-call-wait', call_id: id, tool: name };
}

/** An approval is for these arguments and this definition; a changed one voids it and asks again. */
function isSameWait({ state }: RunningTurn, call: ToolCall, wait: WaitEvent): boolean {
  return JSON.stringify(state.waits.get(call.id)) === JSON.stringify(wait.wait);
}

function denial(reason: string | undefined): ToolError {
  const because = reason ? `: ${reason}` : '.';
  return { error_type: 'PermissionDenied', message: `The user did not allow this call${because}` };
}

const noTimeLeft: ToolError = {
  error_type: 'Timeout',
  message: 'There was no time left to run this call. Answer with what is there.',
};

/** The synthetic result of a front-end call: providers refuse a call without one. */
const notReturned: ToolError = {
  error_type: 'ToolInvocationError',
  message: 'The page did not return a result before the user sent the next message.',
};

function refuse({ deps }: RunningTurn, call: ToolCall, error: ToolError): EventBody {
  return { type: 'tool-call-end', call: failCall(call, error, deps.clock), message_id: newUlid() };
}

/** The caller ran it: what it brings is as untrusted as any tool's output. */
function bring({ deps }: RunningTurn, call: ToolCall, result: Json): EventBody {
  const ended: ToolCall = {
    ...call,
    state: 'completed',
    result: boundResult(result),
    completed_at: deps.clock.date().toISOString(),
  };
  return { type: 'tool-call-end', call: ended, message_id: newUlid() };
}

interface StartingCall {
  call: ToolCall;
  prepared: Prepared;
}

interface ManyRuns {
  turn: RunningTurn;
  starting: StartingCall[];
  /** Known to the turn and not yet written. */
  first: EventBody[];
}

async function* runAll({ turn, starting, first }: ManyRuns): AsyncGenerator<Event, void> {
  const queue = createEventQueue();
  const { write, pass, open } = createRecord({ turn, starting, first, queue });
  const { parallel_tool_calls: parallel } = turn.deps.agent.loop;
  const desk = createQuestionDesk({ turn, calls: starting.map(({ call }) => call), write, pass });
  const run = async (one: StartingCall) => {
    const ended = await runOne({ turn, ...one, write, pass, desk });
    await desk.end(ended);
    return ended;
  };
  const ran = runCalls(starting, { parallel, run });
  // By now each call of the first wave has said that it runs, if it does.
  const done = Promise.all([ran, open()]).then(queue.end, queue.fail);
  yield* queue.events();
  await done;
}

/**
 * Where calls write down what becomes of them; what arrives in one round of the event loop is one write. Until it is
 * opened it collects: all of that, behind what is `first`, is one write too.
 */
function createRecord({ turn, starting, first, queue }: ManyRuns & { queue: EventQueue }) {
  const { state, deps } = turn;
  const isAlone = starting.length === 1;
  const opened = Promise.withResolvers<Event[]>();
  // Told when they have begun: whoever hears of a running call can rely on it.
  const told = opened.promise.then(async (events) => {
    await nextRound();
    queue.push(...events);
  });
  let isOpen = false;
  let batch: EventBody[] = [];
  let writing: Promise<void> | undefined;
  const writeBatch = async () => {
    await told;
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
    /** What nobody writes down; told behind what it belongs to. */
    pass(body: EventBody): void {
      const event = deps.journal.note(body);
      told.then(() => queue.push(event));
    },
    open(): Promise<void> {
      isOpen = true;
      opened.resolve(deps.journal.commit(...first));
      return told;
    },
  };
}

const nextRound = () => new Promise<void>((resolve) => setImmediate(resolve));

interface OneRun extends StartingCall {
  turn: RunningTurn;
  write(body: EventBody): Promise<void>;
  pass(body: EventBody): void;
  desk: QuestionDesk;
}

async function runOne({ turn, call, prepared, write, pass, desk }: OneRun): Promise<ToolCall> {
  const { deps, state, deadlines } = turn;
  const { retry } = deps.agent.loop;
  if (isInterruption(deps.signal)) return call;
  if (deadlines.toolMs() === 0 && !deps.signal.aborted) {
    const late = failCall(call, noTimeLeft, deps.clock);
    await write({ type: 'tool-call-end', call: late, message_id: newUlid() });
    return late;
  }
  const readOnly = 'offered' in prepared && prepared.offered.tool.readOnly === true && { read_only: true };
  const ended = await runCall({
    call,
    prepared,
    user: deps.user,
    conversationId: state.conversationId,
    ...(deps.traceparent && { traceparent: deps.traceparent(call.id) }),
    clock: deps.clock,
    signal: deps.signal,
    timeoutMs: deadlines.toolMs(),
    retryAttempts: retry.enabled ? retry.attempts : 0,
    onRun: (run) => write({ type: 'tool-call-run', call_id: call.id, tool: call.name, ...run, ...readOnly }),
    progress: (text) => pass({ type: 'tool-call-progress', call_id: call.id, text: sanitizeText(text) }),
    ask: (question) => desk.ask(call, question),
    onThrow: (error) => deps.log?.('a tool threw', { tool: call.name, call: call.id, error }),
  });
  await write({ type: 'tool-call-end', call: ended, message_id: newUlid() });
  return ended;
}
