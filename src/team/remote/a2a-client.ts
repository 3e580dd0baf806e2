import * as z from 'zod';
import { isObject, type JsonObject } from '../../schema/json.ts';

/** As much as one message of a tool server may have. */
const MAX_BYTES = 8_000_000;
const MAX_REDIRECTS = 3;

/** A remote agent by the address of its card, and the limits of a request to it. */
export interface RemotePlace {
  card: string;
  headers: Readonly<Record<string, string>>;
  signal: AbortSignal;
  requestMs(): number;
}

/**
 * The reason why a request has no result, as a phrase. `unreached`: nothing was done. `refused`: the remote agent
 * rejected it. `unclear`: it may have had an effect.
 */
export class RemoteFault extends Error {
  readonly kind: 'unreached' | 'refused' | 'unclear';

  constructor(kind: RemoteFault['kind'], reason: string) {
    super(reason);
    this.kind = kind;
  }
}

const Words = z.string().max(20_000);
const OptionalWords = Words.optional();
const Interface = z.object({ url: Words, protocolBinding: Words, protocolVersion: Words });
const Card = z.object({
  ...{ name: Words, description: OptionalWords, url: OptionalWords, preferredTransport: Words.default('JSONRPC') },
  protocolVersion: Words.default('0.3'),
  supportedInterfaces: z.array(Interface).default([]),
  skills: z.array(z.object({ id: Words, name: Words, description: OptionalWords })).default([]),
});

/** Reads the card, and opens A2A 1.0, else 0.3, over JSON-RPC. `facts`: what a person accepts with the card. */
export async function openRemote(place: RemotePlace) {
  const card = new URL(place.card);
  const read = Card.safeParse(await request(place, card));
  if (!read.success) throw new RemoteFault('refused', 'has no agent card at this address');
  const { name, description = '', skills, supportedInterfaces, ...old } = read.data;
  const first = { url: old.url ?? '', protocolBinding: old.preferredTransport, protocolVersion: old.protocolVersion };
  const usable = [...supportedInterfaces, first].filter((one) => one.protocolBinding === 'JSONRPC' && one.url !== '');
  const [now, before] = ['1.', '0.3'].map((start) => usable.find((one) => one.protocolVersion.startsWith(start)));
  const chosen = now ?? before;
  const url = chosen && URL.parse(chosen.url, card.href);
  if (!url) throw new RemoteFault('refused', 'offers neither A2A 1.0 nor 0.3 over JSON-RPC');
  // The login is for the host that the file names.
  if (url.origin !== card.origin)
    throw new RemoteFault('refused', 'names an address of another host in its card, which is not called');
  const shown = skills.map((skill) => [skill.id, skill.name, skill.description ?? '']);
  const headers = { ...place.headers, 'a2a-version': now ? '1.0' : '0.3' };
  const call = async (methods: [string, string], params: JsonObject, id?: string): Promise<RemoteTask> => {
    const body = { jsonrpc: '2.0', id: 1, method: methods[now ? 0 : 1], params };
    const answer = await request({ ...place, headers }, url, body);
    const { error, result } = isObject(answer) ? answer : {};
    if (isObject(error)) throw new RemoteFault('refused', `refused it: ${quote(String(error.message))}`);
    const task = toTask(result);
    if (id !== undefined && task.id !== id) throw new RemoteFault('refused', 'answered for another task');
    return task;
  };
  return {
    facts: { name, description, url: url.href, skills: shown },
    send(text: string, messageId: string, { id, contextId }: Partial<RemoteTask> = {}) {
      const to = { messageId, ...(id && { taskId: id }), ...(contextId && { contextId }) };
      const message = now
        ? { ...to, role: 'ROLE_USER', parts: [{ text }] }
        : { ...to, kind: 'message', role: 'user', parts: [{ kind: 'text', text }] };
      const configuration = now ? { returnImmediately: true } : { blocking: false };
      return call(['SendMessage', 'message/send'], { message, configuration }, id);
    },
    read: (id: string) => call(['GetTask', 'tasks/get'], { id }, id),
    cancel: (id: string) => call(['CancelTask', 'tasks/cancel'], { id }, id),
  };
}

const Message = z.object({ parts: z.array(z.object({ text: z.string().optional(), data: z.unknown().optional() })) });
const Task = z.object({
  id: z.string().min(1).max(200),
  contextId: z.string().max(200).optional(),
  status: z.object({ state: Words, message: Message.nullish() }),
  artifacts: z.array(Message).nullish(),
});

/** A task, or a reply without one, which has no id. */
export type RemoteTask = ReturnType<typeof toTask>;

function toTask(result: unknown) {
  const { task = result, message = result } = Object(result);
  const reply = Message.safeParse(message).data;
  if (reply) return { state: 'completed', text: textOf(reply.parts), isCutOff: false, mark: '' };
  const read = Task.safeParse(task).data;
  if (!read) throw unreadable();
  const { id, contextId, status, artifacts } = read;
  const said = status.message?.parts ?? [];
  /** As A2A 0.3 writes it, such as `input-required`. */
  const state = status.state.replace('TASK_STATE_', '').toLowerCase().replaceAll('_', '-');
  const answer = state === 'completed' ? textOf((artifacts ?? []).flatMap(({ parts }) => parts)) : '';
  const text = answer || textOf(said.filter((part) => part.text !== undefined));
  /** Its server stopped in the middle; the first message, sent again, continues it. */
  const isCutOff = said.some(({ data }) => Object(data).code === 'turn_interrupted');
  /** Equal for the same status: a server may show a question for a while after its answer. */
  const mark = JSON.stringify(Object(task).status);
  return { id, contextId, state, text, isCutOff, mark };
}

function textOf(parts: z.infer<typeof Message>['parts']): string {
  return parts.map(({ text, data }) => text ?? (data === undefined ? '[a file]' : JSON.stringify(data))).join('\n');
}

/** Words of a remote agent in a sentence of ours. */
export function quote(words: string): string {
  return JSON.stringify(words.slice(0, 500));
}

function unreadable(): RemoteFault {
  return new RemoteFault('unclear', 'sent an answer that cannot be read');
}

/** Follows redirects within the origin only, because the headers hold a login. */
async function request(place: RemotePlace, url: URL, body?: JsonObject, left = MAX_REDIRECTS): Promise<unknown> {
  const { headers, signal, requestMs } = place;
  const json = { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) };
  try {
    const response = await fetch(url, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      redirect: 'manual',
      headers: { ...headers, ...json },
      signal: AbortSignal.any([signal, AbortSignal.timeout(Math.max(1, Math.ceil(requestMs())))]),
    });
    const { status } = response;
    if (response.ok) return JSON.parse(await readText(response));
    await response.body?.cancel();
    const next = URL.parse(response.headers.get('location') ?? '', url.href);
    const isKept = body ? status === 307 || status === 308 : status >= 300 && status < 400;
    if (isKept && next?.origin === url.origin && left > 0) return await request(place, next, body, left - 1);
    const isLogin = status === 401 || status === 403;
    const why = isLogin ? '; its headers are the login' : status < 400 ? ', a redirect that is not followed' : '';
    const kind = status === 429 || status === 503 ? 'unreached' : status >= 500 ? 'unclear' : 'refused';
    throw new RemoteFault(kind, `answered with HTTP ${status}${why}`);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RemoteFault) throw error;
    if (error instanceof SyntaxError || error instanceof RangeError) throw unreadable();
    const isAway = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].includes(Object((error as Error).cause).code);
    throw isAway ? new RemoteFault('unreached', 'cannot be reached') : new RemoteFault('unclear', 'did not answer');
  }
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) throw new RemoteFault('unclear', `sent more than ${MAX_BYTES / 1_000_000} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
