import { AppError } from '../errors.ts';
import { type Origin, redact } from './origin.ts';
import { parseRetryAfter } from './retry-after.ts';

/** What an HTTP reply that is no success said about itself. */
export interface RefusedReply {
  status: number;
  body: string;
  retryAfter?: string | undefined;
  location?: string | undefined;
}

/** A reply with another status than 200 as the error that it stands for. The provider's own words stay in `cause`. */
export function explainStatus(origin: Origin, reply: RefusedReply, now: Date): AppError {
  const { status, body } = reply;
  const { host } = origin;
  const cause = new Error(redact(`${host} answered ${status}: ${body}`, origin));
  const fail = (code: AppError['code'], detail: string) => new AppError(code, { detail, cause });

  if (status === 401 || status === 403 || isKeyFault(status, body))
    return fail('model_key_refused', explainKey(origin, status));
  if (isContextFault(status, body)) return contextTooLong(cause);
  if (/insufficient_quota|credit balance is too low/i.test(body))
    return fail(
      'model_refused',
      `The account at ${host} has no quota left (status ${status}). Check its plan and billing.`,
    );
  if (/does not support tools|support tool use/i.test(body)) return fail('model_refused', explainTools(origin, status));
  if (status === 429 || status === 529) {
    const retryAfterSeconds = parseRetryAfter(reply.retryAfter, now);
    const detail = `The model at ${host} is busy (status ${status}). Please try again in ${describeWait(retryAfterSeconds)}.`;
    return new AppError('model_rate_limited', {
      detail,
      cause,
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    });
  }
  if (status >= 500 || status === 408) return explainOutage(origin, reply, { cause, now });
  if (status >= 300 && status < 400) return fail('model_refused', explainRedirect(host, reply));
  if (status === 404)
    return fail(
      'model_refused',
      `${host} knows no model "${origin.model}" at this address (status 404). Check model.name and model.endpoint.`,
    );
  if (status < 300)
    return fail(
      'model_bad_reply',
      `${host} sent no reply that could be read (status ${status}). Check model.endpoint.`,
    );
  return fail(
    'model_refused',
    `The model at ${host} refused the request (status ${status}). Check the model's name and settings.`,
  );
}

function explainOutage(origin: Origin, reply: RefusedReply, context: { cause: Error; now: Date }): AppError {
  const retryAfterSeconds = parseRetryAfter(reply.retryAfter, context.now);
  return new AppError('model_unavailable', {
    detail: `The model at ${origin.host} has a problem of its own (status ${reply.status}). Please try again in a moment.`,
    cause: context.cause,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}

function explainKey({ host, provider, keyVariable, apiKey }: Origin, status: number): string {
  if (!apiKey)
    return `${host} wants a key (status ${status}) and none is set. Give ${provider} one with model.api_key: \${VARIABLE}.`;
  const source = keyVariable ? `the key in ${keyVariable}` : 'the key of model.api_key';
  return `${host} refused ${source} for ${provider} (status ${status}). Check that it is whole, still valid, and meant for this address.`;
}

function explainTools({ host, model, provider }: Origin, status: number): string {
  const where = provider === 'ollama' ? ', such as qwen3 or llama3.1 (`ollama pull qwen3`)' : '';
  return `The model "${model}" at ${host} cannot call tools (status ${status}), and this agent has tools. Put a model that can into model.name${where}, or remove the agent's tools.`;
}

function explainRedirect(host: string, { status, location }: RefusedReply): string {
  const target = location && URL.canParse(location) ? ` to ${new URL(location).host}` : '';
  return `${host} sends requests on to another address${target} (status ${status}), which is not followed because the key would go along. Put the final address into model.endpoint.`;
}

function describeWait(seconds: number | undefined): string {
  if (seconds === undefined) return 'a moment';
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} minutes`;
}

function isKeyFault(status: number, body: string): boolean {
  return status === 400 && /api[_ ]key[_ ](not[_ ]valid|invalid|expired)|invalid[_ ]api[_ ]key/i.test(body);
}

export function isContextFault(status: number, body: string): boolean {
  if (status !== 400 && status !== 413 && status !== 422) return false;
  return /context[_ ](length|window|size)|maximum context|prompt is too long|input token count|too many tokens|exceed_context/i.test(
    body,
  );
}

function contextTooLong(cause: unknown): AppError {
  return new AppError('context_too_long', {
    detail: 'The conversation is longer than this model can read. Start a new one, or lower limits.context_tokens.',
    cause,
  });
}

/** A fault that a provider reports inside a reply that began well. */
export function explainReported(
  origin: Origin,
  report: { status: number | undefined; text: string },
  now: Date,
): AppError {
  const { status, text } = report;
  if (status !== undefined && status >= 400 && status < 600) return explainStatus(origin, { status, body: text }, now);
  if (isContextFault(400, text)) return contextTooLong(new Error(redact(text, origin)));
  const code = /rate.?limit|overloaded|too many requests/i.test(text) ? 'model_rate_limited' : 'model_unavailable';
  return new AppError(code, {
    detail: `The model at ${origin.host} stopped with a problem of its own. Please try again in a moment.`,
    cause: new Error(redact(text, origin)),
  });
}

export function badReply(origin: Origin, what: string, cause?: unknown): AppError {
  return new AppError('model_bad_reply', { detail: `The model at ${origin.host} ${what}.`, cause });
}

export function unreadableReply(origin: Origin, text: string): AppError {
  const cause = new Error(redact(text, origin));
  if (/^\s*</.test(text))
    return badReply(
      origin,
      'answered with a web page instead of a reply. Check model.endpoint, and whether a proxy is in between',
      cause,
    );
  return badReply(origin, 'sent a reply that could not be read. Please try again', cause);
}
