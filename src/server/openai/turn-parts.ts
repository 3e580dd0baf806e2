import { AppError, CODES, type ErrorCode } from '../../errors.ts';
import type { ChatTurn } from '../../runtime/turn/turn.ts';
import type { CallWait, Event, EventOf } from '../../schema/conversation/event.ts';
import type { TokenUsage } from '../../schema/conversation/token-usage.ts';
import type { ToolCall } from '../../schema/conversation/tool-call.ts';
import type { TurnError, TurnResult } from '../../schema/conversation/turn.ts';
import type { HttpReply } from '../http/reply.ts';
import { turnInterrupted } from '../stream/write-events.ts';
import { toCallId } from './caller-tools.ts';

/** A call of the caller's own tool. */
export interface CallerCall {
  id: string;
  name: string;
  /** JSON text. */
  arguments: string;
}

/** A piece of an answer, as both of OpenAI's protocols need it. */
export type TurnPart =
  | { kind: 'start' }
  | { kind: 'text'; text: string }
  | { kind: 'call'; call: CallerCall }
  | { kind: 'end'; reason: FinishReason; usage?: TokenUsage | undefined; agent?: string | undefined }
  | { kind: 'failure'; error: TurnError };

export type FinishReason = 'stop' | 'length' | 'content_filter' | 'tool_calls';

/** Reads the events of one response as parts. Our own tools stay inside the turn; its texts become one text. */
export function createTurnParts(turnId: string, conversationId: string) {
  const calls: ToolCall[] = [];
  const waits = new Map<string, CallWait>();
  let [hasStarted, isOver, hasSent, hasOpenText] = [false, false, false, false];
  let lastMessage: string | undefined;

  const take = (event: Event) => {
    if (event.type === 'tool-call-start') calls.push(event.call);
    if (event.type === 'tool-call-wait') waits.set(event.call_id, event.wait);
    if (event.type === 'tool-call-end') waits.delete(event.call.id);
    if (event.type === 'step-end') hasOpenText = false;
  };
  const textParts = ({ message_id, text }: EventOf<'text-delta'>): TurnPart[] => {
    const isNext = hasSent && lastMessage !== message_id;
    lastMessage = message_id;
    hasSent = true;
    hasOpenText = true;
    return [{ kind: 'text', text: isNext ? `\n\n${text}` : text }];
  };
  const end = (...parts: TurnPart[]): TurnPart[] => {
    isOver = true;
    return parts;
  };
  const waitParts = ({ calls: waiting, result }: EventOf<'turn-wait'>): TurnPart[] => {
    const own = calls.flatMap((call, index): TurnPart[] =>
      waiting.includes(call.id) && waits.get(call.id)?.kind === 'client'
        ? [{ kind: 'call', call: { ...toCallerCall(call), id: toCallId(turnId, index) } }]
        : [],
    );
    const open = calls.filter(({ id }) => waiting.includes(id) && waits.get(id)?.kind !== 'client');
    const asked = [
      ...open.map(({ name }) => name),
      ...(result.asked ?? []).map(({ agent, tool }) => `${agent}: ${tool}`),
    ];
    const note = asked.length > 0 ? [noteOf(asked, { conversationId, hasSent })] : [];
    const reason = own.length > 0 ? 'tool_calls' : 'stop';
    return end(...note, ...own, { kind: 'end', reason, usage: result.tokens_used, agent: result.agent });
  };
  const partsOf = (event: Event): TurnPart[] => {
    switch (event.type) {
      case 'text-delta':
        return textParts(event);
      case 'turn-resume':
        // Text that was sent cannot be taken back here; the caller sends the call again and gets the stored answer.
        return event.reason === 'retry' && hasOpenText ? end(failureOf(turnInterrupted())) : [];
      case 'turn-wait':
        return waitParts(event);
      case 'turn-end':
        return end(...endParts(event.result, hasSent));
      default:
        return [];
    }
  };
  return {
    skip: take,
    parts(event: Event): TurnPart[] {
      take(event);
      const start: TurnPart[] = hasStarted ? [] : [{ kind: 'start' }];
      hasStarted = true;
      return isOver ? [] : [...start, ...partsOf(event)];
    },
    /** The parts of a response that was cut off. */
    cut: (error: () => AppError): TurnPart[] => (isOver ? [] : end(failureOf(error()))),
  };
}

function toCallerCall({ id, name, arguments: args }: ToolCall): CallerCall {
  return { id, name, arguments: JSON.stringify(args) };
}

/** In a named conversation people decide elsewhere; the caller learns where. */
function noteOf(
  names: readonly string[],
  { conversationId, hasSent }: { conversationId: string; hasSent: boolean },
): TurnPart {
  const text = `Waiting for a decision about ${names.join(', ')}. Decide on the page or by POST /sessions/${conversationId}/resume.`;
  return { kind: 'text', text: hasSent ? `\n\n${text}` : text };
}

function endParts(result: TurnResult, hasSent: boolean): TurnPart[] {
  const { status, finish_reason, content, error, tokens_used: usage, agent } = result;
  if (error) return [{ kind: 'failure', error }];
  if (status === 'cancelled')
    return [{ kind: 'failure', error: { code: 'cancelled', error_type: 'Timeout', message: 'The turn was stopped.' } }];
  const text: TurnPart[] = hasSent || content === '' ? [] : [{ kind: 'text', text: content }];
  const reason = finish_reason === 'length' || finish_reason === 'content_filter' ? finish_reason : 'stop';
  return [...text, { kind: 'end', reason, usage, agent }];
}

function failureOf({ code, errorType: error_type, message }: AppError): TurnPart {
  return { kind: 'failure', error: { code, error_type, message } };
}

/** The parts of a whole turn. Throws the error that the turn ended with. */
export async function readParts(turn: ChatTurn, reply: HttpReply): Promise<TurnPart[]> {
  const { turnId, conversationId, before, events, pausesAt } = turn;
  reply.request.facts.session_id = conversationId;
  reply.request.facts.turn_id = turnId;
  const leave = () => void events.return?.();
  if (reply.sink.isClosed) leave();
  else reply.sink.onClose(leave);
  const reader = createTurnParts(turnId, conversationId);
  for (const event of before) reader.skip(event);
  const parts: TurnPart[] = [];
  for await (const event of events) {
    parts.push(...reader.parts(event));
    if (pausesAt?.(event)) break;
  }
  parts.push(...reader.cut(turnInterrupted));
  const failure = parts.find((part) => part.kind === 'failure');
  if (failure) throw toThrown(failure.error);
  return parts;
}

/** A stored turn may have a code that is no code of a request. */
function toThrown({ code, message }: TurnError): AppError {
  return new AppError(code in CODES ? (code as ErrorCode) : 'internal', { detail: message });
}
