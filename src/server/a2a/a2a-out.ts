import { AppError } from '../../errors.ts';
import type { Event } from '../../schema/conversation/event.ts';
import { type Encoding, SSE } from '../http/encode.ts';
import type { StreamFrame, Translator } from '../stream/translator.ts';
import { type A2aNames, type A2aResult, createTaskReader, type TaskPlace } from './a2a-task.ts';

/** Each event is a JSON-RPC response to the request that opened the stream. */
export const a2aEncoding: Encoding = {
  contentType: `${SSE}; charset=utf-8`,
  keepalive: ': keepalive\n\n',
  encode: (_id, { data }) => `data: ${JSON.stringify(data)}\n\n`,
};

/** Translates a turn: the task first, then its texts as artifacts, and its last status at the end. */
export function createA2aTranslator(place: TaskPlace, { id, names }: { id: unknown; names: A2aNames }): Translator {
  const reader = createTaskReader(place);
  const begun = new Set<string>();
  let [hasStarted, isOver] = [false, false];
  let open: string | undefined;
  const { taskId, contextId } = place;

  const frame = (result: A2aResult): StreamFrame => ({ data: { jsonrpc: '2.0', id, result: names.result(result) } });
  const artifact = (artifactId: string, text: string, append: boolean) =>
    frame({
      artifactUpdate: { taskId, contextId, artifact: { artifactId, name: 'answer', parts: [{ text }] }, append },
    });
  const statusFrame = () => frame({ statusUpdate: { taskId, contextId, status: reader.status() } });
  const textFrame = (messageId: string, text: string): StreamFrame => {
    const isKnown = begun.has(messageId);
    begun.add(messageId);
    open = messageId;
    return artifact(messageId, text, isKnown);
  };
  const framesOf = (event: Event): StreamFrame[] => {
    switch (event.type) {
      case 'text-delta':
        return [textFrame(event.message_id, event.text)];
      case 'step-end':
        open = undefined;
        return [];
      case 'turn-resume': {
        // The reply that was cut off no longer counts.
        const lost = event.reason === 'retry' ? open : undefined;
        open = undefined;
        return lost === undefined ? [] : [artifact(lost, '', false)];
      }
      case 'turn-wait':
      case 'turn-end':
        isOver = true;
        return [statusFrame()];
      default:
        return [];
    }
  };
  return {
    skip: reader.take,
    frames(event) {
      reader.take(event);
      const start = hasStarted ? [] : [frame({ task: reader.task() })];
      hasStarted = true;
      return [...start, ...framesOf(event)];
    },
    needsHistory: () => false,
    setHistory: () => {},
    reset: () => [],
    end(error) {
      if (isOver) return [];
      isOver = true;
      return [{ data: { jsonrpc: '2.0', id, error: toRpcError(error()) }, isCut: true }];
    },
  };
}

const A2A_PATH = /^\/agent\/[^/]+\/a2a$/;

/** A body that is no JSON reaches no route. Its error is one of the protocol; undefined for every other error. */
export function toParseError(error: unknown, path: string): Record<string, unknown> | undefined {
  if (!A2A_PATH.test(path) || !(error instanceof AppError) || error.code !== 'malformed_body') return undefined;
  return { jsonrpc: '2.0', id: null, error: { code: -32700, message: error.message } };
}

/** Codes of JSON-RPC and of A2A. */
const RPC_CODES: Readonly<Record<string, number>> = {
  not_found: -32001,
  conversation_not_found: -32001,
  invalid_request: -32602,
  awaiting_input: -32004,
  turn_running: -32004,
};

/** An error with our code and sentence, in the shape of JSON-RPC. */
export function toRpcError({ code, message, problems }: AppError): Record<string, unknown> {
  return { code: RPC_CODES[code] ?? -32603, message, data: [{ code, ...(problems.length > 0 && { problems }) }] };
}
