import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import { isEnded, type ToolCall, type ToolError } from '../schema/conversation/tool-call.ts';
import type { Json, JsonObject } from '../schema/json.ts';
import type { User } from '../schema/user.ts';
import { boundError, boundResult } from './bound-output.ts';
import { createDeadline } from './deadline.ts';
import type { PreparedCall } from './prepare-call.ts';
import type { ToolContext, ToolOutcome } from './tool.ts';

export interface RunCallInput {
  /** A pending call, or a waiting call that is now approved. */
  call: ToolCall;
  /** The checked call, or the reason why it cannot run. */
  prepared: PreparedCall | { error: ToolError };
  user: User;
  conversationId: string;
  turnId?: string;
  /** W3C Trace Context of the call. */
  traceparent?: string;
  clock: Clock;
  signal: AbortSignal;
  /** For all attempts together; paused while a human is asked. */
  timeoutMs: number;
  maxResultBytes?: number;
  /** Awaited before the tool starts, so that a running call is recorded before it has an effect. */
  onRun(run: { sent_arguments: JsonObject; started_at: string; overridden: string[] }): Promise<void>;
  /** Whether a call that must not run twice may begin now, asked directly before it begins; absent = always. */
  mayAct?(): boolean;
  progress(text: string): void;
  ask: ToolContext['ask'];
  /** Runs a turn of a member of the team; absent = none can be run. */
  delegate?(to: Delegated, context: ToolContext): Promise<ToolOutcome>;
  /** Additional tries, used only for tools that are read-only or idempotent. */
  retryAttempts?: number;
  /** Logs a tool's exception, which users do not see. */
  onThrow?(error: unknown): void;
}

type Delegated = Parameters<NonNullable<ToolContext['delegate']>>[0];
type Ending = Pick<ToolCall, 'state' | 'result' | 'error' | 'delegation' | 'read_only'> & { answer?: string };

/**
 * Runs a tool call and always returns a ToolCall: a failure is a result that the model can read, never an exception.
 * Rejects only when `onRun` does; then the tool was not started. A resumable call may come back without an end.
 */
export async function runCall(input: RunCallInput): Promise<ToolCall & Pick<Ending, 'answer'>> {
  const { call, prepared, clock, signal } = input;
  const startMs = clock.now();
  const startedAt = clock.date().toISOString();
  const end = (ending: Ending, durationMs = 0) => endCall(call, ending, { startedAt, durationMs });
  // A member works on the call, and is gone from the file since then.
  if ('error' in prepared && call.delegation)
    return end({ ...cancelled(call.name, UNKNOWN), delegation: { ...call.delegation, status: 'cancelled' } });
  if ('error' in prepared) return end({ state: 'failed', error: prepared.error });
  const isBegun = 'offered' in prepared && prepared.offered.tool.resumable && call.state !== 'pending';
  if (signal.aborted && !isBegun) return end(notStarted(call.name));
  const { sentArguments, overridden } = prepared;
  await input.onRun({ sent_arguments: sentArguments, started_at: startedAt, overridden });
  const sent = { ...call, sent_arguments: sentArguments };
  if (signal.aborted && !isBegun) return endCall(sent, notStarted(call.name), { startedAt, durationMs: 0 });
  const { readOnly, idempotent, resumable } = prepared.offered.tool;
  if (!readOnly && !idempotent && resumable !== true && input.mayAct?.() === false) {
    return endCall(sent, notSafe(call.name), { startedAt, durationMs: 0 });
  }
  const ending = await runWithDeadline(input, prepared);
  if (!isEnded(ending.state)) return { ...sent, ...ending };
  return endCall(sent, ending, { startedAt, durationMs: clock.now() - startMs });
}

/** Ends a call that never ran: denied by a human, or given up before its turn came. */
export function failCall(call: ToolCall, error: ToolError, clock: Clock): ToolCall {
  return endCall(call, { state: 'failed', error }, { startedAt: clock.date().toISOString(), durationMs: 0 });
}

function endCall(call: ToolCall, ending: Ending, time: { startedAt: string; durationMs: number }) {
  const { result: _result, error: _error, ...kept } = call;
  // Rounded up: if the fraction were cut off, a call would complete before its own effect.
  const durationMs = Math.ceil(time.durationMs);
  return {
    ...kept,
    ...ending,
    started_at: time.startedAt,
    completed_at: new Date(Date.parse(time.startedAt) + durationMs).toISOString(),
    duration_ms: durationMs,
  };
}

/**
 * Resolves with the tool's end, the deadline or a cancel, whichever comes first. A tool that ignores its signal delays
 * nothing.
 */
function runWithDeadline(input: RunCallInput, prepared: PreparedCall): Promise<Ending> {
  const { call, clock, signal, timeoutMs } = input;
  const { tool } = prepared.offered;
  const stop = new AbortController();
  return new Promise((resolve) => {
    let isOver = false;
    const finish = (ending: Ending) => {
      isOver = true;
      deadline.cancel();
      signal.removeEventListener('abort', onAbort);
      resolve(ending);
    };
    const giveUp = (ending: Ending, reason = signal.reason) => {
      // A resumable tool ends what it began before it has an outcome.
      if (!tool.resumable) finish(ending);
      stop.abort(reason);
    };
    const effect = tool.readOnly ? '' : UNKNOWN;
    const tooLate = timedOut(`${call.name} did not answer in time.${effect}`);
    const onAbort = () => giveUp(isTimeout(signal.reason) ? tooLate : cancelled(call.name, effect));
    const late = () => giveUp(tooLate, new DOMException('the time of the call is over', 'TimeoutError'));
    const deadline = createDeadline(clock, timeoutMs, late);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    const ask: ToolContext['ask'] = async (question) => {
      if (isOver)
        throw new AppError('awaiting_input', { detail: 'This call has ended; it can no longer ask a question.' });
      return deadline.pauseFor(() => input.ask(question));
    };
    const progress = (text: string) => {
      if (!isOver) input.progress(text);
    };
    const { remainingMs } = deadline;
    attempt(input, prepared, { ask, progress, signal: stop.signal, remainingMs }).then(finish);
  });
}

/** Tries once, and again if a repetition can do no harm. */
async function attempt(
  input: RunCallInput,
  { offered: { tool }, sentArguments }: PreparedCall,
  work: Pick<ToolContext, 'ask' | 'progress' | 'signal' | 'remainingMs'>,
): Promise<Ending> {
  const { user, conversationId, turnId, call, traceparent } = input;
  const canRepeat = tool.readOnly === true || tool.idempotent === true;
  const context: ToolContext = {
    user,
    conversationId,
    ...(turnId && { turnId }),
    callId: call.id,
    ...(traceparent && { traceparent }),
    ...work,
  };
  if (input.delegate) context.delegate = (to) => input.delegate?.(to, context) ?? Promise.reject(new Error('no team'));
  for (let left = canRepeat ? (input.retryAttempts ?? 0) : 0; ; left--) {
    const outcome = await runTool(() => tool.run(structuredClone(sentArguments), context), input);
    const again = 'error' in outcome && isWorthAnotherTry(outcome.error) && left > 0 && !work.signal.aborted;
    if (!again) return toEnding(outcome, input.maxResultBytes);
  }
}

async function runTool(run: () => Promise<ToolOutcome>, { call, onThrow }: RunCallInput): Promise<ToolOutcome> {
  try {
    return await run();
  } catch (error) {
    onThrow?.(error);
    if (error instanceof AppError) return { error: { error_type: error.errorType, message: error.message } };
    return { error: { error_type: 'ToolInvocationError', message: `${call.name} failed unexpectedly.` } };
  }
}

function isWorthAnotherTry(error: ToolError): boolean {
  return ['ToolInvocationError', 'DatabaseError', 'Timeout'].includes(error.error_type);
}

function toEnding(outcome: ToolOutcome, maxResultBytes?: number): Ending {
  const { about } = outcome;
  if ('result' in outcome)
    return { state: 'completed', result: boundResult(outcome.result as Json, maxResultBytes), ...about };
  if (outcome.stays) return { state: outcome.stays };
  return { state: outcome.unknown ? 'unknown' : 'failed', error: boundError(outcome.error), ...about };
}

/** The answer's deadline ends a call like the call's own deadline. Any other abort is a cancel. */
export function isTimeout(reason: unknown): boolean {
  if (reason instanceof AppError) return reason.code === 'model_timeout';
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}

function notStarted(name: string): Ending {
  return {
    state: 'failed',
    error: { error_type: 'ToolInvocationError', message: `${name} was cancelled before it ran.` },
  };
}

/** Another server may continue the turn at any moment, and must not find an effect that it does not know. */
function notSafe(name: string): Ending {
  const message = `${name} was not run, because the connection to the database was lost. Try it again.`;
  return { state: 'failed', error: { error_type: 'DatabaseError', message } };
}

function timedOut(message: string): Ending {
  return { state: 'timeout', error: { error_type: 'Timeout', message } };
}

const UNKNOWN = ' Whether it took effect is not known.';

function cancelled(name: string, effect: string): Ending {
  const message = `${name} was cancelled while it ran.${effect}`;
  return { state: 'unknown', error: { error_type: 'ToolInvocationError', message } };
}

export interface RunCallsOptions<T> {
  /** The number of calls that run at once. */
  parallel: number;
  /** Runs a call, usually with `runCall`. */
  run(call: T): Promise<ToolCall>;
  /** Awaited as each call ends, in the order of their ends. */
  onEnd?(call: ToolCall): Promise<void> | void;
}

/**
 * Runs the calls of a reply in parallel and returns them in call order. If `run` or `onEnd` rejects (a call cannot be
 * recorded), no further call starts, running calls are awaited, and the first rejection is thrown.
 */
export async function runCalls<T>(calls: readonly T[], options: RunCallsOptions<T>): Promise<ToolCall[]> {
  const ended: ToolCall[] = [];
  const queue = calls.entries();
  let isBroken = false;

  async function work(): Promise<void> {
    for (const [index, call] of queue) {
      if (isBroken) return;
      const done = await options.run(call);
      ended[index] = done;
      await options.onEnd?.(done);
    }
  }
  const lanes = Array.from({ length: Math.min(options.parallel, calls.length) }, () =>
    work().catch((error: unknown) => {
      isBroken = true;
      throw error;
    }),
  );
  const broken = (await Promise.allSettled(lanes)).find((lane) => lane.status === 'rejected');
  if (broken) throw broken.reason;
  return ended;
}
