import { AppError } from '../errors.ts';
import type { CallAnswer, CallWait, EventBody } from '../schema/conversation/event.ts';
import type { ToolCall } from '../schema/conversation/tool-call.ts';
import type { TurnResult } from '../schema/conversation/turn.ts';
import type { Json, JsonObject } from '../schema/json.ts';
import { cleanWords } from '../tools/offer.ts';
import { sanitizeText } from '../tools/sanitize.ts';
import type { QuestionReply, RunningTurn } from './running-turn.ts';
import { turnResult } from './turn-result.ts';

interface Question {
  text: string;
  schema?: JsonObject;
}

interface CallQuestionsOptions {
  turn: RunningTurn;
  /** The calls that run in parallel. */
  calls: readonly ToolCall[];
  write(body: EventBody): Promise<void>;
  pass(body: EventBody): void;
}

/** Questions asked by the calls of one reply. Each call asks one question at a time. */
export interface CallQuestions {
  /** Resolves to the answer; null means declined. Rejects when the turn stops or the call ends. */
  ask(call: ToolCall, question: Question): Promise<Json>;
  /** Withdraws the open question of a call that has ended. */
  end(call: ToolCall): Promise<void>;
}

/**
 * Asks the human on behalf of running calls. A call with an open question waits, and the deadlines pause. When every
 * running call waits, the turn pauses: `turn-wait` with `asking` ends the readers' streams, and `turn-resume` starts
 * the next ones.
 */
export function createCallQuestions({ turn, calls, write, pass }: CallQuestionsOptions): CallQuestions {
  const { deps, deadlines } = turn;
  const parallel = deps.agent.loop.parallel_tool_calls;
  const open = new Map(calls.map((call) => [call.id, new AbortController()]));
  const lines = new Map<string, Promise<unknown>>();
  const asking = new Set<string>();
  let isPaused = false;

  const pauseWhenIdle = async () => {
    if (deps.signal.aborted || isPaused || asking.size === 0 || asking.size < Math.min(open.size, parallel)) return;
    isPaused = true;
    await write(pauseEvent(turn, [...asking]));
  };
  const goOn = async (call: ToolCall, reply: QuestionReply) => {
    const resume = isPaused ? [write(resumeEvent(reply))] : [];
    isPaused = false;
    await Promise.all([...resume, write(runAgainEvent(turn, call))]);
    // Another call may still have an open question.
    await pauseWhenIdle();
  };
  const askOnce = async (call: ToolCall, question: Question): Promise<Json> => {
    const over = open.get(call.id)?.signal;
    if (!deps.questions || !over) throw nobodyToAsk();
    const refusal = deps.questions.refusal();
    if (refusal) {
      pass({ type: 'notice', text: refusal });
      return null;
    }
    const stop = new AbortController();
    const reply = deps.questions.ask(call.id, AbortSignal.any([deps.signal, over, stop.signal]));
    // The reply may reject while the question is still being written.
    reply.catch(() => {});
    const resumeTime = deadlines.pause();
    const timer = startTimer(turn, call);
    try {
      await write({ type: 'tool-call-wait', call_id: call.id, tool: call.name, wait: toWait(question) });
      asking.add(call.id);
      await pauseWhenIdle();
      const given = await Promise.race([reply, timer.expired]);
      asking.delete(call.id);
      if (given.notice) pass({ type: 'notice', text: given.notice });
      await goOn(call, given);
      return given.value;
    } finally {
      timer.cancel();
      stop.abort();
      asking.delete(call.id);
      resumeTime();
    }
  };

  return {
    ask(call, question) {
      const before = lines.get(call.id) ?? Promise.resolve();
      const answer = before.then(() => askOnce(call, question));
      lines.set(
        call.id,
        answer.catch(() => {}),
      );
      return answer;
    },
    async end(call) {
      open.get(call.id)?.abort(nobodyToAsk());
      open.delete(call.id);
      asking.delete(call.id);
      await pauseWhenIdle();
    },
  };
}

function toWait({ text, schema }: Question): CallWait {
  return { kind: 'input', question: sanitizeText(text), ...(schema && { schema: cleanWords(schema) }) };
}

/** Declines the question after `loop.question_timeout_seconds`. */
function startTimer({ deps }: RunningTurn, call: ToolCall) {
  const seconds = deps.agent.loop.question_timeout_seconds;
  const answers: CallAnswer[] = [{ call_id: call.id, result: null }];
  const notice = `The question of ${call.name} was not answered within ${seconds} s, so it was declined.`;
  const { promise: expired, resolve } = Promise.withResolvers<QuestionReply & { notice?: string }>();
  const cancel = deps.clock.after(seconds * 1000, () => resolve({ value: null, answers, notice }));
  return { expired, cancel };
}

function pauseEvent(turn: RunningTurn, calls: string[]): EventBody {
  const question = questionOf(turn, calls);
  const result = turnResult(turn, { status: 'waiting', finish_reason: 'waiting', ...(question && { question }) });
  return { type: 'turn-wait', calls, active_ms: turn.deadlines.activeMs(), result, asking: true };
}

function resumeEvent({ answers, key }: QuestionReply): EventBody {
  return { type: 'turn-resume', reason: 'answer', answers: [...answers], ...(key !== undefined && { key }) };
}

function runAgainEvent({ state, deps }: RunningTurn, call: ToolCall): EventBody {
  const run = state.calls.find((candidate) => candidate.id === call.id);
  const sent_arguments = run?.sent_arguments ?? call.arguments;
  const started_at = run?.started_at ?? deps.clock.date().toISOString();
  return { type: 'tool-call-run', call_id: call.id, tool: call.name, sent_arguments, started_at, overridden: [] };
}

/** The first open question; the next one is shown after this one is answered. */
function questionOf({ state }: RunningTurn, [call_id = '']: string[]): TurnResult['question'] {
  const wait = state.waits.get(call_id);
  if (wait?.kind !== 'input') return undefined;
  return { call_id, message: wait.question, ...(wait.schema && { schema: wait.schema }) };
}

function nobodyToAsk(): AppError {
  return new AppError('awaiting_input', { detail: 'This call cannot ask a question now.' });
}
