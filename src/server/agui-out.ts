import { toolMessage } from '../agent/tool-message.ts';
import type { AppError } from '../errors.ts';
import type { CallWait, Event, EventOf } from '../schema/event.ts';
import type { JsonObject } from '../schema/json.ts';
import type { Message } from '../schema/message.ts';
import type { TokenUsage } from '../schema/token-usage.ts';
import type { TurnResult } from '../schema/turn.ts';
import { aguiFrame, customFrame } from './agui-frame.ts';
import { toAguiMessage } from './agui-messages.ts';
import { createOpenParts, type OpenParts } from './agui-open-parts.ts';
import { slimResult, usageOf, waitOutcome } from './agui-outcome.ts';
import type { Frame, Translator } from './translator.ts';

const PROTOCOL_VERSION = '1.0';
const RESULT_CHARS = 1_000_000;

export interface AguiOptions {
  threadId: string;
  conversationId: string;
  /** The run that a turn, or its attempt after an answer, is told as. */
  runIdOf(turnId: string, resume?: EventOf<'turn-resume'>): string;
  /** A client from before the version was sent gets nothing that it does not know. */
  isOld?: boolean;
  /** The client may still show the messages of turns that have left the path; it did not ask for this turn itself. */
  isFollower?: boolean;
  /** False leaves REASONING_* out. */
  withReasoning: boolean;
  /** The client holds an object that our facts can be put into. */
  hasState?: boolean;
}

interface Run extends AguiOptions {
  turnId: string;
  runId: string;
  isRunning: boolean;
  open: OpenParts;
  waits: Map<string, CallWait>;
  /** Messages before this turn, and those of this turn that are whole. */
  history: readonly Message[];
  messages: Message[];
  /** The reader has a part of a reply that will not be finished. */
  holdsPart: boolean;
  /** What stands of the reply that the reader came in the middle of. */
  heldText: string;
  usageBefore: TokenUsage | undefined;
}

/** Events as AG-UI 1.0 tells them: whatever a run opens is closed before it finishes, and it ends exactly once. */
export function createAguiTranslator(options: AguiOptions): Translator {
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
  };
  return {
    skip(event) {
      translate(run, event);
      if (event.type === 'text-delta') run.heldText += event.text;
      else if (event.type !== 'reasoning-delta') run.heldText = '';
      // A reader who stands behind an interruption was told that the run is over.
      if (event.type === 'turn-interrupt') cutOff(run);
    },
    frames: (event) => (run.isRunning || isBorder(event) ? translate(run, event) : reopenRun(run, event)),
    needsHistory: (event) =>
      showsPath(run, event) || (event.type === 'turn-resume' && (run.open.hasText() || run.holdsPart)),
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

function translate(run: Run, event: Event): Frame[] {
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
      return open.step(event.summary ? 'summary' : `step-${event.iteration}`);
    case 'reasoning-delta':
      return run.withReasoning ? open.reasoning(event.message_id, event.text) : [];
    case 'text-delta':
      return open.text(event.message_id, event.text);
    case 'step-end':
      if (event.message) run.messages.push(event.message);
      return open.closeAll();
    case 'tool-call-start':
      return callFrames(event);
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
      return [customFrame('annotation', event.checks)];
    case 'notice':
      return [customFrame('notice', event.text)];
    case 'turn-wait':
      return waitRun(run, event);
    case 'turn-end':
      return endRun(run, event.result);
    case 'tool-call-run':
    case 'turn-interrupt':
      return [];
  }
}

/** A turn beside an earlier one shows followers the messages that are left. */
function startTurn(run: Run, event: EventOf<'turn-start'>): Frame[] {
  const frames = startRun(run, run.runIdOf(run.turnId));
  return showsPath(run, event) ? [...frames, snapshot(run)] : frames;
}

function showsPath({ isFollower }: AguiOptions, event: Event): boolean {
  return isFollower === true && event.type === 'turn-start' && event.replaces !== undefined;
}

function startRun(run: Run, runId: string): Frame[] {
  run.runId = runId;
  run.isRunning = true;
  const { threadId } = run;
  const version = run.isOld ? {} : { protocolVersion: PROTOCOL_VERSION };
  const facts: JsonObject = { session_id: run.conversationId, turn_id: run.turnId };
  return [aguiFrame('RUN_STARTED', { threadId, runId, ...version }), stateFrame(facts, run.hasState ?? false)];
}

/** The run's facts in the shared state, without sending the client's own state back to it. */
function stateFrame(facts: JsonObject, hasState: boolean): Frame {
  if (!hasState) return aguiFrame('STATE_SNAPSHOT', { snapshot: { holodeck: facts } });
  return aguiFrame('STATE_DELTA', { delta: [{ op: 'add', path: '/holodeck', value: facts }] });
}

function isBorder({ type }: Event): boolean {
  return type === 'turn-start' || type === 'turn-resume' || type === 'turn-interrupt';
}

/** For a reader who was told that the run is cut off, and then there was more of it. */
function reopenRun(run: Run, event: Event): Frame[] {
  return [...startRun(run, run.runId), ...translate(run, event)];
}

/** After an answer this is the next run; after a crash the same one goes on, without the reply that was cut off. */
function resumeRun(run: Run, event: EventOf<'turn-resume'>): Frame[] {
  const holdsPart = run.open.hasText() || run.holdsPart;
  run.heldText = '';
  const frames = run.isRunning ? run.open.closeAll() : startRun(run, run.runIdOf(run.turnId, event));
  run.holdsPart = false;
  return holdsPart ? [...frames, snapshot(run)] : frames;
}

/**
 * For a reader who may hold parts that nobody here knows of: an error is the one thing that closes them all. If the turn
 * goes on, it does so as a run of its own.
 */
function resetRun(run: Run, error: AppError): Frame[] {
  const start = run.isRunning ? [] : startRun(run, run.runId);
  const frames = [...start, snapshot(run), cutFrame(error)];
  cutOff(run);
  run.holdsPart = false;
  return frames;
}

function cutFrame({ message, code }: AppError): Frame {
  return { ...aguiFrame('RUN_ERROR', { message, code }), isCut: true };
}

/** What this run has used is told with it; the run that goes on tells only its own. */
function waitRun(run: Run, event: EventOf<'turn-wait'>): Frame[] {
  const frames = finishRun(run, event.result, waitOutcome(event, run.waits, { isOld: run.isOld ?? false }));
  run.usageBefore = event.result.tokens_used;
  return frames;
}

function finishRun(run: Run, result: TurnResult, outcome: Record<string, unknown> | undefined): Frame[] {
  const { threadId, runId, conversationId } = run;
  run.isRunning = false;
  const end = { threadId, runId, result: slimResult(result, conversationId), ...(outcome && { outcome }) };
  return [...run.open.closeAll(), aguiFrame('RUN_FINISHED', { ...end, ...usageOf(result, run.usageBefore) })];
}

function endRun(run: Run, result: TurnResult): Frame[] {
  if (result.error) {
    cutOff(run);
    const { message, code } = result.error;
    return [aguiFrame('RUN_ERROR', { message, code, ...usageOf(result, run.usageBefore) })];
  }
  const isCancelled = result.status === 'cancelled';
  if (isCancelled) return finishRun(run, result, run.isOld ? undefined : { type: 'cancelled' });
  return finishRun(run, result, { type: 'success' });
}

/** An error ends whatever was still open, too. */
function cutOff(run: Run): void {
  run.isRunning = false;
  run.holdsPart = run.open.hasText();
  run.open.closeAll();
}

function snapshot({ history, messages, open, heldText }: Run): Frame {
  const whole = [...history, ...messages].map(toAguiMessage);
  const id = open.textId();
  const part = id && heldText ? [{ id, role: 'assistant', content: heldText }] : [];
  return aguiFrame('MESSAGES_SNAPSHOT', { messages: [...whole, ...part] });
}

function callFrames({ call, message_id }: EventOf<'tool-call-start'>): Frame[] {
  const toolCallId = call.id;
  const parent = message_id ? { parentMessageId: message_id } : {};
  return [
    aguiFrame('TOOL_CALL_START', { toolCallId, toolCallName: call.name, ...parent }),
    aguiFrame('TOOL_CALL_ARGS', { toolCallId, delta: JSON.stringify(call.arguments) }),
    aguiFrame('TOOL_CALL_END', { toolCallId }),
  ];
}

/** What the caller ran itself is the caller's to tell; everything else is told as text, which older clients know. */
function endCall(run: Run, { call, message_id }: EventOf<'tool-call-end'>): Frame[] {
  const message = toolMessage(call, message_id, RESULT_CHARS);
  run.messages.push(message);
  if (run.waits.get(call.id)?.kind === 'client' && call.state === 'completed') return [];
  const { content } = message;
  return [aguiFrame('TOOL_CALL_RESULT', { messageId: message_id, toolCallId: call.id, content, role: 'tool' })];
}
