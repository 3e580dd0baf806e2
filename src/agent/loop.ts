import { AppError, toAppError } from '../errors.ts';
import type { Event, EventBody, Rejected } from '../schema/conversation/event.ts';
import type { ToolCall } from '../schema/conversation/tool-call.ts';
import type { TurnResult } from '../schema/conversation/turn.ts';
import { timeLimits } from '../schema/model-limits.ts';
import { createDeadlines } from './deadlines.ts';
import { noteForPeople } from './earlier-calls.ts';
import { createLatecomers } from './late-tools.ts';
import { type AskOptions, askModel, type Limit, type Reply } from './reply/ask-model.ts';
import { emit, hasPlugins, isInterruption, type RunningTurn, type TurnDeps, withSpeaker } from './running-turn.ts';
import { settleCalls } from './settle-calls.ts';
import { type Ending, turnResult } from './turn-result.ts';
import { applyEvent, askedCalls, type HeldDraft, openCalls, type TurnState } from './turn-state.ts';

/**
 * Runs a turn from the current end of its journal to its end or its next wait. New, interrupted and answered turns all
 * start here. Every event is in the journal before it is emitted. A failing model or tool becomes a result; only a
 * journal that cannot be written makes this throw.
 */
export async function* runTurn(state: TurnState, deps: TurnDeps): AsyncGenerator<Event, TurnResult> {
  const activeMs = state.activeMs + (deps.spentMs ?? 0);
  const limits = timeLimits(deps.agent);
  if (deps.team) limits.answer = deps.team.answerSeconds;
  if (deps.limitMs !== undefined) limits.answer = (activeMs + deps.limitMs) / 1000;
  const deadlines = createDeadlines({ clock: deps.clock, limits, activeMs });
  let turn: RunningTurn = { state, deps, deadlines };
  try {
    turn = yield* enter(turn, [...(deps.notices ?? []), ...noteForPeople(state.alreadyRan)]);
    let said: readonly EventBody[] = [];
    for (;;) {
      yield* settleCalls(turn, said);
      said = [];
      const open = openCalls(state);
      const isStopping = isInterruption(deps.signal);
      // On shutdown, waiting calls stay waiting; everything else is left to the next attempt.
      if (isStopping && !isAllWaiting(open)) throw deps.signal.reason;
      // After a cancel, the next round ends the waiting calls without running them.
      if (open.length > 0 && deps.signal.aborted && !isStopping) continue;
      // A member's turn could not be followed, so this one is left too: the next attempt continues both.
      if (open.some((call) => call.state === 'running')) throw new AppError('store_unavailable', { detail: LEFT });
      if (open.length > 0) return yield* waitForAnswers(turn);
      const { draft } = state;
      if (draft) {
        const call = yield* readNext(turn, draft);
        if (!call) return yield* endWith(turn, draft);
        said = [{ type: 'tool-call-start', call }];
        continue;
      }
      if (deps.endsAfterCalls) return yield* endTurn(turn, { status: 'completed', finish_reason: 'completed' });
      const { team } = turn.deps;
      const next = state.handedOverTo.slice(team?.handOvers).at(-1);
      if (team && next !== undefined) {
        turn = yield* takeOver(turn, await team.partsOf(next));
        // The calls that its plugins started come before its first reply.
        continue;
      }
      const limit = reachedLimit(turn);
      const reply = yield* limit ? sumUp(turn, limit) : askForAnswer(turn, { withTools: true });
      if (!reply.hasCalls && !reply.isDraft) return yield* endTurn(turn, endingOf(turn, reply), reply.events);
      said = reply.events;
    }
  } catch (error) {
    return yield* endTurn(turn, failure(turn, error));
  }
}

/** An agent begins: notices, late tools, plugins. */
async function* enter(
  { state, deps, deadlines, hold: before }: RunningTurn,
  texts: string[] = [],
): AsyncGenerator<Event, RunningTurn> {
  for (const text of [...texts, ...(deps.notes ?? [])]) yield deps.journal.note({ type: 'notice', text });
  const latecomers = deps.late && { latecomers: createLatecomers(deps.late) };
  const hold = deps.readers && { hold: before ?? { by: [], isNoted: false } };
  const turn = { state, deps, deadlines, ...latecomers, ...hold };
  return hasPlugins(turn) ? yield* (await import('./run-plugins.ts')).runBefore(turn) : turn;
}

/** Another agent goes on, with the same journal and the same time for the answer. */
async function* takeOver({ state, deadlines, hold }: RunningTurn, deps: TurnDeps): AsyncGenerator<Event, RunningTurn> {
  const noted = hold && { hold: { by: [], isNoted: hold.isNoted } };
  return yield* enter({ state, deps, deadlines: deadlines.withLimits(timeLimits(deps.agent)), ...noted });
}

function isAllWaiting(open: readonly ToolCall[]): boolean {
  return open.length > 0 && open.every((call) => call.state === 'waiting');
}

async function* waitForAnswers(turn: RunningTurn): AsyncGenerator<Event, TurnResult> {
  const calls = askedCalls(turn.state);
  const result = turnResult(turn, { status: 'waiting', finish_reason: 'waiting' });
  yield* emit(turn, { type: 'turn-wait', calls, active_ms: turn.deadlines.activeMs(), result });
  return result;
}

function reachedLimit({ state, deps, deadlines }: RunningTurn): Limit | undefined {
  if (state.iterations >= deps.agent.loop.max_iterations) return 'max_iterations';
  return deadlines.toolMs() === 0 ? 'deadline' : undefined;
}

/** Asks for a last reply without tools, so that a turn at its limit still has an answer. */
async function* sumUp(turn: RunningTurn, limit: Limit): AsyncGenerator<Event, Reply> {
  try {
    return yield* askForAnswer(turn, { withTools: false, limit });
  } catch (error) {
    if (turn.deps.signal.aborted || isJournalFailure(error) || isFormatFailure(error)) throw error;
    return { finish: 'stop', hasCalls: false, events: [], limit };
  }
}

/** The call by which the next member reads the draft; undefined if all have read it. */
async function* readNext(turn: RunningTurn, draft: HeldDraft): AsyncGenerator<Event, ToolCall | undefined> {
  turn.deps.signal.throwIfAborted();
  yield* (await import('./reply/held-answer.ts')).noteHold(turn);
  return turn.deps.readers?.next(draft, turn.state.calls);
}

/** Ends the turn with what the members left of the draft. */
async function* endWith(turn: RunningTurn, draft: HeldDraft): AsyncGenerator<Event, TurnResult> {
  const { finish, limit, unseen: isUnseen } = draft;
  const sent = yield* (await import('./reply/held-answer.ts')).sendDraft(turn, draft);
  return yield* endTurn(turn, { ...endingOf(turn, { finish, limit, isUnseen }), ...sent.ending }, sent.events);
}

function limitEnding({ deps }: RunningTurn, limit: Limit): Ending {
  if (limit === 'deadline') {
    return {
      status: 'completed',
      finish_reason: 'deadline',
      warning: 'The time for this answer was over before everything was done.',
      otherwise: 'I ran out of time before I could finish. Here is what was done so far.',
    };
  }
  return {
    status: 'max_iterations_reached',
    finish_reason: 'max_iterations',
    warning: `Stopped after ${deps.agent.loop.max_iterations} steps; the answer may be incomplete.`,
    otherwise: 'I reached the limit of steps for one answer. Ask me to continue, or ask for a smaller part.',
  };
}

function endingOf(turn: RunningTurn, reply: Ended): Ending {
  const { finish, limit } = reply;
  if (limit) return { ...limitEnding(turn, limit), ...doubtOf(reply) };
  if (finish === 'length') {
    const warning = "The answer was cut at the model's length limit.";
    return { status: 'completed', finish_reason: 'length', warning, otherwise: warning, ...doubtOf(reply) };
  }
  if (finish === 'content-filter') {
    const warning = "The model's provider withheld the answer.";
    return { status: 'completed', finish_reason: 'content_filter', warning, otherwise: warning };
  }
  return { status: 'completed', finish_reason: 'completed', ...doubtOf(reply) };
}

type Ended = Pick<Reply, 'finish' | 'limit' | 'isUnseen'>;

/** A held answer is sent, not lost, if the plugin that had to see it failed. */
function doubtOf({ isUnseen }: Ended): Partial<Ending> {
  return isUnseen ? { warning: 'This answer could not be checked before it was sent.', confidence: 'low' } : {};
}

function failure(turn: RunningTurn, error: unknown): Ending {
  if (isJournalFailure(error)) throw error;
  if (isInterruption(turn.deps.signal))
    return { status: 'interrupted', finish_reason: 'cancelled', otherwise: INTERRUPTED };
  if (turn.deps.signal.aborted) return { status: 'cancelled', finish_reason: 'cancelled' };
  const known = toAppError(error);
  const { code, author } = known;
  turn.deps.log?.('a turn failed', {
    turn: turn.state.turnId,
    code,
    ...(author && { author }),
    error: known.cause ?? known,
  });
  const isLate = known.code === 'model_timeout' && turn.deadlines.iterationMs() === 0;
  if (isLate && turn.state.calls.some((call) => call.state === 'completed')) return limitEnding(turn, 'deadline');
  return { status: 'error', finish_reason: isLate ? 'deadline' : 'error', error: known };
}

const LEFT = 'The turn of a member could not be followed to its end. Try again.';
/** Each front adds how to continue: the terminal asks, REST has a key, AG-UI starts a run. */
const INTERRUPTED = 'The answer was interrupted. Everything done so far is kept.';

function isJournalFailure(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'turn_taken_over' || error.code === 'store_unavailable');
}

/** A caller that asked for a format gets an error, never a sentence in its place. */
function isFormatFailure(error: unknown): boolean {
  return error instanceof AppError && error.code === 'answer_format';
}

/** Stores the unfinished reply and ends the turn in one write. */
async function* endTurn(turn: RunningTurn, ending: Ending, last: EventBody[] = []): AsyncGenerator<Event, TurnResult> {
  if (ending.status === 'interrupted') {
    // The unfinished reply does not become a message: the next attempt asks for it again.
    yield* emit(turn, { type: 'turn-interrupt' });
    return turnResult(turn, ending);
  }
  const bodies = last.length > 0 ? last : unfinishedReply(turn, ending);
  for (const body of bodies) applyEvent(turn.state, body);
  const isAnswered = ending.status === 'completed' || ending.status === 'max_iterations_reached';
  const isAddedTo = isAnswered && hasPlugins(turn);
  const { events = [], additions } = isAddedTo ? await (await import('./run-plugins.ts')).runAfter(turn) : {};
  const result = turnResult(turn, ending, additions);
  const end: EventBody = { type: 'turn-end', result };
  applyEvent(turn.state, end);
  yield* await turn.deps.journal.commit(...bodies, ...events, end);
  return result;
}

function unfinishedReply({ state, deps }: RunningTurn, ending: Ending): EventBody[] {
  const step = state.step;
  if (!step) return [];
  const timestamp = deps.clock.date().toISOString();
  const content = step.text;
  const metadata = withSpeaker(deps, { incomplete: true });
  const message = { id: step.messageId, role: 'assistant' as const, content, timestamp, metadata };
  const error = ending.error?.code ?? ending.finish_reason;
  return [{ type: 'step-end', iteration: step.iteration, ...(content.trim() !== '' && { message }), error }];
}

/** The model may correct an answer this often. */
const MAX_REPAIRS = 1;

/**
 * Asks the model once. An answer outside the required format is corrected once by the model; if that fails too, the turn
 * ends with `answer_format`. Nobody sees a rejected answer.
 */
async function* askForAnswer(turn: RunningTurn, options: AskOptions): AsyncGenerator<Event, Reply> {
  for (;;) {
    const isRepair = turn.state.rejected !== undefined;
    const reply = yield* askModel(turn, isRepair ? { ...options, withTools: false } : options);
    if (!reply.rejected) return reply;
    yield* emit(turn, ...reply.events);
    if (turn.state.rejections > MAX_REPAIRS) throw notInFormat(reply.rejected);
  }
}

function notInFormat({ problems }: Rejected): AppError {
  const detail = `The model's answer does not have the required format, also after a correction: ${problems.join('; ')}. Please try again.`;
  return new AppError('answer_format', { detail });
}
