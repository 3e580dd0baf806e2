import { AppError } from '../../errors.ts';
import { isObject } from '../../schema/json.ts';
import { explainReported, explainStatus, unreadableReply } from '../model-errors.ts';
import type { Origin } from '../origin.ts';

/** The fields of the packages' errors that we read. The error classes are not exported by any dependency of ours. */
interface SdkError {
  message?: string;
  statusCode?: unknown;
  responseBody?: unknown;
  responseHeaders?: Record<string, string>;
  data?: unknown;
  text?: unknown;
}

const EVENTS =
  'message_start content_block_start content_block_delta content_block_stop message_delta message_stop ping error';
const PARTS = 'text thinking redacted_thinking tool_use text_delta thinking_delta signature_delta input_json_delta';
const KNOWN = new Set([...EVENTS.split(' '), ...PARTS.split(' ')]);

/** Anthropic adds events, blocks and deltas over time and requires clients to skip unknown ones. */
export function isUnknownEvent({ provider }: Origin, error: unknown): boolean {
  if (provider !== 'anthropic' || !(error instanceof Error) || !('value' in error)) return false;
  const event = error.value;
  if (!isObject(event)) return false;
  const part = event.content_block ?? event.delta;
  return [event, part].some((item) => isObject(item) && typeof item.type === 'string' && !KNOWN.has(item.type));
}

/** Maps an error that a provider package threw or reported to an AppError. */
export function explainSdkError(origin: Origin, error: unknown, date: Date): AppError {
  const own = findOwn(error);
  if (own) return own;
  const fault: SdkError = typeof error === 'object' && error !== null ? error : { message: String(error) };
  const body = describe(fault);
  if (typeof fault.statusCode === 'number' && fault.statusCode !== 200) {
    const { 'retry-after': retryAfter, location } = fault.responseHeaders ?? {};
    return explainStatus(origin, { status: fault.statusCode, body, retryAfter, location }, date);
  }
  if (error instanceof Error) return unreadableReply(origin, typeof fault.text === 'string' ? fault.text : body);
  return explainReported(origin, { status: undefined, text: body }, date);
}

/** Our own errors arrive wrapped if they were thrown inside the package's fetch. */
function findOwn(error: unknown): AppError | undefined {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; depth++, current = current.cause)
    if (current instanceof AppError) return current;
  return undefined;
}

function describe(fault: SdkError): string {
  if (typeof fault.responseBody === 'string' && fault.responseBody !== '') return fault.responseBody;
  return fault.data === undefined ? (fault.message ?? JSON.stringify(fault)) : JSON.stringify(fault.data);
}
