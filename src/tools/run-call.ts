import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { ToolCall, ToolError } from '../schema/conversation/tool-call.ts';
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
  /** Additional tries, used only for tools that are read-only or idempotent. */
  retryAttempts?: number;
  /** Logs a tool's exception, which users do not see. */
  onThrow?(error: unknown): void;
}

type Ending = Pick<ToolCall, 'state' | 'result' | 'error'>;

/**
 * Runs a tool call and always returns a ToolCall: a failure is a result that the model can read, never an exception.
 * Rejects only when `onRun` does; then the tool was not started.
 */
export async function runCall(input: RunCallInput): Promise<ToolCall> {
  const { call, prepared, clock, signal } = input;
  const startMs = clock.now();
  const startedAt = clock.date().toISOString();
  const end = (ending: Ending, durationMs = 0) => endCall(call, ending, { startedAt, durationMs });
  if ('error' in prepared) return end({ state: 'failed', error: prepared.error });
  if (signal.aborted) return end(notStarted(call.name));
  const { sentArguments, overridden } = prepared;
  await input.onRun({ sent_arguments: sentArguments, started_at: startedAt, overridden });
  const sent = { ...call, sent_arguments: sentArguments };
  if (signal.aborted) return endCall(sent, notStarted(call.name), { startedAt, durationMs: 0 });
  const { readOnly, idempotent } = prepared.offered.tool;
  if (!readOnly && !idempotent && input.mayAct?.() === false) {
    return endCall(sent, notSafe(call.name), { startedAt, durationMs: 0 });
  }
  const ending = await runWithDeadline(input, prepared);
  return endCall(sent, ending, { startedAt, durationMs: clock.now() - startMs });
}

/** Ends a call that never ran: denied by a human, or given up before its turn came. */
export function failCall(call: ToolCall, error: ToolError, clock: Clock): ToolCall {
  return endCall(call, { state: 'failed', error }, { startedAt: clock.date().toISOString(), durationMs: 0 });
}

function endCall(call: ToolCall, ending: Ending, time: { startedAt: string; durationMs: number }): ToolCall {
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
    const giveUp = (ending: Ending) => {
      finish(ending);
      stop.abort(signal.reason);
    };
    const effect = tool.readOnly ? '' : ' Whether it took effect is not known.';
    const tooLate = timedOut(`${call.name} did not answer in time.${effect}`);
    const onAbort = () => giveUp(isTimeout(signal.reason) ? tooLate : cancelled(call.name, effect));
    const deadline = createDeadline(clock, timeoutMs, () => giveUp(tooLate));
    signal.addEventListener('abort', onAbort, { once: true });
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
  if ('result' in outcome) return { state: 'completed', result: boundResult(outcome.result as Json, maxResultBytes) };
  return { state: outcome.unknown ? 'unknown' : 'failed', error: boundError(outcome.error) };
}

/** The answer's deadline ends a call like the call's own deadline. Any other abort is a cancel. */
function isTimeout(reason: unknown): boolean {
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

function cancelled(name: string, effect: string): Ending {
  const message = `${name} was cancelled while it ran.${effect}`;
  return { state: 'unknown', error: { error_type: 'ToolInvocationError', message } };
}
