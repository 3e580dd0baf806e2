import { AppError, type ErrorCode } from '../errors.ts';
import { isObject, type Json, parseJson } from '../schema/json.ts';
import { providerFacts } from '../schema/provider.ts';
import { type Origin, redact } from './origin.ts';

/** The parts of an unsuccessful HTTP reply that describe its error. */
export interface RefusedReply {
  status: number;
  body: string;
  retryAfter?: string | undefined;
  location?: string | undefined;
}

type ModelCode = Extract<ErrorCode, `model_${string}` | 'context_too_long'>;

/** Texts for all users, also over HTTP: no host, no setting, no text of the provider. */
const FOR_PEOPLE: Record<ModelCode, string> = {
  model_unavailable: 'The model could not be reached. Please try again in a moment.',
  model_rate_limited: 'The model is busy. Please try again in a moment.',
  model_key_refused: 'The model does not serve this agent. Please contact the people who run it.',
  model_refused: 'The model refused the request. Please contact the people who run this agent.',
  model_bad_reply: 'The model sent a reply that could not be used. Please try again.',
  model_timeout: 'The model did not answer in time. Please try again.',
  context_too_long: 'The conversation is longer than the model can read. Please start a new one.',
};

interface ModelFault {
  /** Where it went wrong and what to do; for the agent's author. */
  author: string;
  /** Replaces the usual text for users. */
  detail?: string;
  cause?: unknown;
  retryAfterSeconds?: number | undefined;
}

/** An error of a model: a friendly text for users, and the details for the author. */
export function modelError(code: ModelCode, { author, detail, cause, retryAfterSeconds }: ModelFault): AppError {
  return new AppError(code, {
    detail: detail ?? FOR_PEOPLE[code],
    author,
    cause,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}

interface SlowModel {
  label: string;
  /** The limit that ended the reply. */
  ms: number;
  /** True if a part of the reply had arrived. */
  isBegun: boolean;
}

/** A model that used up its time. The author reads which setting gives it more. */
export function tooSlow({ label, ms, isBegun }: SlowModel): AppError {
  const missed = isBegun ? 'finish its reply' : 'start to answer';
  const seconds = Math.round(ms / 100) / 10;
  return modelError('model_timeout', {
    author: `${label} did not ${missed} within ${seconds} s. If it needs longer, raise model.timeout_seconds (and the limits of loop that the file sets).`,
  });
}

/** Maps an unsuccessful status to an AppError. The author also reads the provider's own sentence. */
export function explainStatus(origin: Origin, reply: RefusedReply, now: Date): AppError {
  const { status, body } = reply;
  const cause = new Error(redact(`${origin.host} answered ${status}: ${body}`, origin));
  const fault = classify(origin, reply, parseRetryAfter(reply.retryAfter, now));
  return modelError(fault.code, { ...fault, author: withSentence(fault.author, body, origin), cause });
}

type Classified = ModelFault & { code: ModelCode };

function classify(origin: Origin, reply: RefusedReply, retryAfterSeconds: number | undefined): Classified {
  const { status, body } = reply;
  if (status === 401 || status === 403 || isKeyFault(status, body))
    return { code: 'model_key_refused', author: explainKey(origin, status) };
  if (isContextFault(status, body)) return { code: 'context_too_long', author: TOO_LONG };
  if (/insufficient_quota|credit balance is too low/i.test(body))
    return {
      code: 'model_refused',
      author: `The account at ${origin.host} has no quota left (status ${status}). Check its plan and billing.`,
    };
  if (/does not support tools|support tool use|requires --jinja/i.test(body))
    return { code: 'model_refused', author: explainTools(origin, status) };
  if (status === 429 || status === 529) return explainBusy(origin, status, retryAfterSeconds);
  if (status >= 500 || status === 408)
    return {
      code: 'model_unavailable',
      author: `The model at ${origin.host} failed (status ${status}). Please try again in a moment.`,
      retryAfterSeconds,
    };
  return classifyRefusal(origin, reply);
}

function classifyRefusal(origin: Origin, reply: RefusedReply): Classified {
  const { status } = reply;
  const { host, model } = origin;
  if (status >= 300 && status < 400) return { code: 'model_refused', author: explainRedirect(host, reply) };
  if (status === 404)
    return {
      code: 'model_refused',
      author: `${host} knows no model "${model}" at this address (status 404). Check model.name and model.endpoint${pullAdvice(origin)}.`,
    };
  if (status < 300)
    return {
      code: 'model_bad_reply',
      author: `${host} sent no reply that could be read (status ${status}). Check model.endpoint.`,
    };
  return {
    code: 'model_refused',
    author: `The model at ${host} refused the request (status ${status}). Check the model's name and settings.`,
  };
}

function pullAdvice({ provider, model }: Origin): string {
  const { pullCommand } = providerFacts(provider);
  return pullCommand ? `, or download it with \`${pullCommand} ${model}\`` : '';
}

function explainBusy({ host }: Origin, status: number, retryAfterSeconds: number | undefined): Classified {
  const wait = `Please try again in ${describeWait(retryAfterSeconds)}.`;
  return {
    code: 'model_rate_limited',
    author: `The model at ${host} is busy (status ${status}). ${wait}`,
    detail: `The model is busy. ${wait}`,
    retryAfterSeconds,
  };
}

function explainKey({ host, provider, keyVariable, apiKey }: Origin, status: number): string {
  if (!apiKey)
    return `${host} requires a key (status ${status}) and none is set. Set one with model.api_key: \${VARIABLE}.`;
  const source = keyVariable ? `the key in ${keyVariable}` : 'the key of model.api_key';
  return `${host} refused ${source} for ${provider} (status ${status}). Check that it is whole, still valid, and meant for this address.`;
}

function explainTools({ host, model, provider }: Origin, status: number): string {
  const { toolModels, toolAdvice } = providerFacts(provider);
  if (toolAdvice) return `The model "${model}" at ${host} cannot call tools (status ${status}). ${toolAdvice}`;
  const where = toolModels ? `, such as ${toolModels}` : '';
  return `The model "${model}" at ${host} cannot call tools (status ${status}), which this agent has: choose a model that can${where}, in model.name or with \`holodeck use\`.`;
}

function explainRedirect(host: string, { status, location }: RefusedReply): string {
  const target = location && URL.canParse(location) ? ` to ${new URL(location).host}` : '';
  return `${host} redirects to another address${target} (status ${status}). The redirect is not followed, because it would receive the key. Put the final address into model.endpoint.`;
}

function describeWait(seconds: number | undefined): string {
  if (seconds === undefined) return 'a moment';
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} minutes`;
}

function withSentence(author: string, body: string, origin: Origin): string {
  const sentence = readSentence(body, origin);
  return sentence ? `${author} The provider's answer: ${sentence}` : author;
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

const TOO_LONG =
  'The conversation is longer than this model can read. Start a new one, or lower limits.context_tokens.';

/** Maps an error that a provider reports inside a reply that began well. */
export function explainReported(
  origin: Origin,
  report: { status: number | undefined; text: string },
  now: Date,
): AppError {
  const { status, text } = report;
  if (status !== undefined && status >= 400 && status < 600) return explainStatus(origin, { status, body: text }, now);
  const cause = new Error(redact(text, origin));
  // LM Studio answers a wrong path with a status 200.
  if (/Unexpected endpoint/.test(text)) return explainStatus(origin, { status: 404, body: text }, now);
  if (isContextFault(400, text))
    return modelError('context_too_long', { author: withSentence(TOO_LONG, text, origin), cause });
  const code = /rate.?limit|overloaded|too many requests/i.test(text) ? 'model_rate_limited' : 'model_unavailable';
  const author = `The model at ${origin.host} stopped with an error. Please try again in a moment.`;
  return modelError(code, { author: withSentence(author, text, origin), cause });
}

export function badReply(origin: Origin, what: string, cause?: unknown): AppError {
  return modelError('model_bad_reply', { author: `The model at ${origin.host} ${what}.`, cause });
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

/** Reads the seconds of a Retry-After header, given as a number or a date. Undefined if it is neither. */
export function parseRetryAfter(header: string | undefined, now: Date): number | undefined {
  const text = header?.trim();
  if (!text) return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) || !/[a-z]/i.test(text) ? undefined : Math.max(0, (date - now.getTime()) / 1000);
}

const MAX_CHARS = 300;

/** The provider's own description of the error: one line without keys. Undefined if the body is a web page. */
export function readSentence(body: string, origin: Origin): string | undefined {
  const text = findText(parseJson(body) ?? body);
  if (text === undefined || /^\s*</.test(text)) return undefined;
  const line = redact(text, origin)
    .replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (line === '') return undefined;
  return line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS)}…` : line;
}

/** Providers write `error.message`, `message`, `error`, `detail`, or a list of one of them. */
function findText(value: Json): string | undefined {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(findText).find((text) => text !== undefined);
  if (!isObject(value)) return undefined;
  for (const key of ['error', 'message', 'detail', 'msg']) {
    const found = value[key] === undefined ? undefined : findText(value[key]);
    if (found !== undefined) return found;
  }
  return undefined;
}
