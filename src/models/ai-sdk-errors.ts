import { AppError } from '../errors.ts';
import { explainReported, explainStatus, unreadableReply } from './model-errors.ts';
import type { Origin } from './origin.ts';

/** The fields of the packages' errors that are read here; their classes belong to no dependency of ours. */
interface SdkError {
  message?: string;
  statusCode?: unknown;
  responseBody?: unknown;
  responseHeaders?: Record<string, string>;
  data?: unknown;
  text?: unknown;
}

/** What a provider package threw or reported, as the error that it stands for. */
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

/** Errors of ours come wrapped when they were thrown inside the package's fetch. */
function findOwn(error: unknown): AppError | undefined {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; depth++, current = current.cause)
    if (current instanceof AppError) return current;
  return undefined;
}

function describe(fault: SdkError): string {
  if (typeof fault.responseBody === 'string' && fault.responseBody !== '') return fault.responseBody;
  return fault.data === undefined ? (fault.message ?? JSON.stringify(fault)) : JSON.stringify(fault.data);
}
