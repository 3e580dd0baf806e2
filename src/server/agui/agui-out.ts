import { toolMessage } from '../../agent/tool-message.ts';
import type { AppError } from '../../errors.ts';
import type { CallWait, Event, EventOf } from '../../schema/conversation/event.ts';
import type { Message } from '../../schema/conversation/message.ts';
import type { TokenUsage } from '../../schema/conversation/token-usage.ts';
import type { TurnResult } from '../../schema/conversation/turn.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { StreamFrame, Translator } from '../stream/translator.ts';
import { type ArgumentStream, createArgumentStream } from './agui-arguments.ts';
import { callFrames, memberEndFrames, memberFrames, resultFrames, toAguiMessage } from './agui-messages.ts';
import { aguiFrame, annotationFrames, createOpenParts, customFrame, type OpenParts } from './agui-open-parts.ts';
import { slimResult, usageOf, waitOutcome } from './agui-outcome.ts';
import { createStateKeeper, type ReadState, type StateKeeper } from './agui-state.ts';

const PROTOCOL_VERSION = '1.0';
const RESULT_CHARS = 1_000_000;

export interface AguiOptions {
  threadId: string;
  conversationId: string;
  /** The run id for a turn, or for its attempt after an answer. */
  runIdOf(turnId: string, resume?: EventOf<'turn-resume'>): string;
  /** A client that sends no protocol version gets no event fields that it does not know. */
  isOld?: boolean;
  /** The client follows the conversation: it may still show messages of turns that have left the active path. */
  isFollower?: boolean;
  /** False omits REASONING_* events. */
  withReasoning: boolean;
  /** The client has a state object to which our facts can be added. */
  hasState?: boolean;
  /** Absent if the agent's tools share no state. */
  readState?: ReadState | undefined;
  /** The reader gets arguments as the model writes them. It must not be one that continues anywhere. */
  streamsArguments?: boolean;
}

interface Run extends AguiOptions {
  turnId: string;
  runId: string;
  isRunning: boolean;
  open: OpenParts;
  waits: Map<string, CallWait>;
  /** Messages before this turn, and the complete messages of this turn. */
  history: readonly Message[];
  messages: Message[];
  /** The reader has part of a reply that will not be finished. */
  holdsPart: boolean;
  /** The text that the reader already has of the reply in progress. */
  heldText: string;
  usageBefore: TokenUsage | undefined;
  state: StateKeeper;
  streamed: ArgumentStream;
  /** Calls that the reader has from a snapshot. */
  shownCalls: ReadonlySet<string>;
  /** Calls that change nothing. */
  readOnly: Set<string>;
}

/**
 * Translates events to AG-UI 1.0: every part that a run opens is closed before the run finishes, and each run ends
 * exactly once.
 */
export function createAguiTranslator(options: AguiOptions): Translator {
  const state = createStateKeeper();
  const run: Run = {
    ...options,
    turnId: '',
    runId: '',
    isRunning: false,
    open: createOpenParts(),
    waits: new Map(),
    history: [],
    messages: [],
    holdsPart: false,
    heldText: '',
    usageBefore: undefined,
    state,
    streamed: createArgumentStream(state),
    shownCalls: new Set(),
    readOnly: new Set(),
  };
  return {
    skip(event) {
      translate(run, event);
      run.state.forget();
      if (event.type === 'text-delta') run.heldText += event.text;
      else if (event.type !== 'reasoning-delta') run.heldText = '';
      // A reader positioned after an interruption has already received the end of the run.
      if (event.type === 'turn-interrupt') cutOff(run);
    },
    prepare: (event) => (run.readState && mayShowState(run, event) ? run.readState().then(run.state.take) : undefined),
    frames: (event) => (run.isRunning || isBorder(event) ? translate(run, event) : reopenRun(run, event)),
    needsHistory: (event) =>
      showsPath(run, event) ||
      (event.type === 'turn-resume' && (hasOpen(run) || run.holdsPart)) ||
      run.streamed.isBroken(event),
    setHistory(messages) {
      run.history = messages;
    },
    reset: (error) => resetRun(run, error()),
    end(error) {
      if (!run.isRunning) return [];
      cutOff(run);
      return [cutFrame(error())];
    },
  };
}

function translate(run: Run, event: Event): StreamFrame[] {
  const { open, waits } = run;
  switch (event.type) {
    case 'turn-start':
      run.turnId = event.turn_id;
      run.messages = [event.message];
      run.usageBefore = undefined;
      waits.clear();
      return startTurn(run, event);
    case 'turn-resume':
      return resumeRun(run, event);
    case 'step-start':
      return open.step(event.summary ? 'summary' : `step-${event.iteration}`, run.isOld ? undefined : event.agent);
    case 'reasoning-delta':
      return run.withReasoning ? open.reasoning(event.message_id, event.text) : [];
    case 'text-delta':
      return open.text(event.message_id, event.text);
    case 'step-end':
      return endReply(run, event);
    case 'tool-call-delta':
      return run.streamsArguments ? run.streamed.add(event) : [];
    case 'tool-call-start':
      return startCall(run, event);
    case 'tool-call-wait':
      waits.set(event.call_id, event.wait);
      return [];
    case 'tool-call-end':
      return endCall(run, event);
    case 'file-progress':
      return [customFrame('file_progress', { filename: event.filename, text: event.text })];
    case 'tool-call-progress':
      return [customFrame('tool_call_progress', { toolCallId: event.call_id, text: event.text })];
    case 'intent':
      return [customFrame('intent', event.intents)];
    case 'routing':
      return [customFrame('routing', event.decision)];
    case 'file':
      return [customFrame('file', event.file)];
    case 'annotation':
      return annotationFrames(event);
    case 'notice':
      return [customFrame('notice', event.text)];
    case 'turn-wait':
      return waitRun(run, event);
    case 'turn-end':
      return endRun(run, event.result);
    case 'tool-call-run':
      if (event.read_only) run.readOnly.add(event.call_id);
      return [];
    case 'delegation':
    case 'hand-over':
      return memberFrames(event, run);
    case 'turn-interrupt':
      return [];
  }
}

/** A turn that replaces an earlier one sends followers the messages of the new active path. */
function startTurn(run: Run, event: EventOf<'turn-start'>): StreamFrame[] {
  const frames = startRun(run, run.runIdOf(run.turnId), run.isFollower ? [event.message] : undefined);
  return showsPath(run, event) ? [...frames, snapshot(run)] : frames;
}

function showsPath({ isFollower }: AguiOptions, event: Event): boolean {
  return isFollower === true && event.type === 'turn-start' && event.replaces !== undefined;
}

/** The start of the run brings a follower the message. */
function startRun(run: Run, runId: string, sent?: readonly Message[]): StreamFrame[] {
  run.runId = runId;
  run.isRunning = true;
  const { threadId } = run;
  const input = sent && { input: { threadId, runId, messages: sent.map(toAguiMessage), tools: [], context: [] } };
  const version = run.isOld ? {} : { protocolVersion: PROTOCOL_VERSION };
  const facts: JsonObject = { session_id: run.conversationId, turn_id: run.turnId };
  return [
    aguiFrame('RUN_STARTED', { threadId, runId, ...version, ...input }),
    run.state.start(facts, { hasState: run.hasState ?? false }),
  ];
}

/** True for an event that begins a run, and for the end of a call that may have changed something. */
function mayShowState({ isRunning, readOnly }: Run, event: Event): boolean {
  return !isRunning || isBorder(event) || (event.type === 'tool-call-end' && !readOnly.has(event.call.id));
}

function isBorder({ type }: Event): boolean {
  return type === 'turn-start' || type === 'turn-resume' || type === 'turn-interrupt';
}

/** For a reader that received the end of a cut-off run, which then continued. */
function reopenRun(run: Run, event: Event): StreamFrame[] {
  return [...startRun(run, run.runId), ...translate(run, event)];
}

/**
 * After an answer this starts the next run; after a crash the same run continues, without the reply that was cut off.
 */
function resumeRun(run: Run, event: EventOf<'turn-resume'>): StreamFrame[] {
  const holdsPart = hasOpen(run) || run.holdsPart;
  run.heldText = '';
  const frames = run.isRunning ? closeParts(run) : startRun(run, run.runIdOf(run.turnId, event));
  run.holdsPart = false;
  return holdsPart ? [...frames, snapshot(run)] : frames;
}

/** For a reader with parts that are unknown here: only an error closes them. The turn continues as a new run. */
function resetRun(run: Run, error: AppError): StreamFrame[] {
  const start = run.isRunning ? [] : startRun(run, run.runId);
  const frames = [...start, snapshot(run), cutFrame(error)];
  cutOff(run);
  run.holdsPart = false;
  return frames;
}

function cutFrame({ message, code }: AppError): StreamFrame {
  return { ...aguiFrame('RUN_ERROR', { message, code }), isCut: true };
}

/** The run after the wait reports only its own usage. */
function waitRun(run: Run, event: EventOf<'turn-wait'>): StreamFrame[] {
  const frames = finishRun(run, event.result, waitOutcome(event, run.waits, { isOld: run.isOld ?? false }));
  run.usageBefore = event.result.tokens_used;
  return frames;
}

function finishRun(run: Run, result: TurnResult, outcome: Record<string, unknown> | undefined): StreamFrame[] {
  const { threadId, runId, conversationId } = run;
  run.isRunning = false;
  const end = { threadId, runId, result: slimResult(result, conversationId), ...(outcome && { outcome }) };
  return [...closeParts(run), aguiFrame('RUN_FINISHED', { ...end, ...usageOf(result, run.usageBefore) })];
}

function endRun(run: Run, result: TurnResult): StreamFrame[] {
  if (result.error) {
    cutOff(run);
    const { message, code } = result.error;
    return [aguiFrame('RUN_ERROR', { message, code, ...usageOf(result, run.usageBefore) })];
  }
  const isCancelled = result.status === 'cancelled';
  if (isCancelled) return finishRun(run, result, run.isOld ? undefined : { type: 'cancelled' });
  return finishRun(run, result, { type: 'success' });
}

/** An error also ends every open part. */
function cutOff(run: Run): void {
  run.isRunning = false;
  run.holdsPart = hasOpen(run);
  closeParts(run);
}

function snapshot({ history, messages, open, heldText }: Run): StreamFrame {
  const whole = [...history, ...messages].map(toAguiMessage);
  const id = open.textId();
  const part = id && heldText ? [{ id, role: 'assistant', content: heldText }] : [];
  return aguiFrame('MESSAGES_SNAPSHOT', { messages: [...whole, ...part] });
}

function hasOpen({ open, streamed }: Run): boolean {
  return open.hasText() || streamed.hasOpen();
}

function closeParts({ open, streamed }: Run): StreamFrame[] {
  return [...streamed.closeAll(), ...open.closeAll()];
}

/** A call whose arguments the reader has only ends here. */
function startCall(run: Run, event: EventOf<'tool-call-start'>): StreamFrame[] {
  const isBroken = run.streamed.isBroken(event);
  const ending = run.streamed.start(event.call);
  if (!ending) return run.shownCalls.has(event.call.id) ? [] : callFrames(event);
  return isBroken ? [...ending, snapshot(run)] : ending;
}

function endReply(run: Run, event: EventOf<'step-end'>): StreamFrame[] {
  if (event.message) run.messages.push(event.message);
  const isBroken = run.streamed.isBroken(event);
  const dropped = run.streamed.drop(event);
  if (isBroken) run.shownCalls = new Set(event.message?.tool_calls?.map(({ id }) => id));
  return [...dropped, ...run.open.closeAll(), ...(isBroken ? [snapshot(run)] : [])];
}

/** The caller knows the results of calls that it ran itself. */
function endCall(run: Run, { call, message_id }: EventOf<'tool-call-end'>): StreamFrame[] {
  const message = toolMessage(call, message_id, RESULT_CHARS);
  run.messages.push(message);
  run.state.takeCall(call);
  run.state.predict(call.id, undefined);
  const isCallers = run.waits.get(call.id)?.kind === 'client' && call.state === 'completed';
  return [...memberEndFrames(call, run), ...(isCallers ? [] : resultFrames(call, message)), ...run.state.changes()];
}
