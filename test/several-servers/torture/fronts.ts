/** A turn as its client asks for it; repeating it asks for the same turn. */
export interface TurnCall {
  url: string;
  token: string;
  /** The idempotency key, and the run id on AG-UI. */
  key: string;
  message: string;
  /** The conversation: a session id, or a thread id on AG-UI. */
  place: string | undefined;
  timeoutMs: number;
}

export interface TurnAnswer {
  /** `completed`, another status of a turn, or the reason why there is none. */
  status: string;
  session: string;
  content: string;
  /** The code of the error that ended the turn. */
  code?: string;
}

export type Front = keyof typeof FRONTS;

/** Each sends a message once and reads the whole answer. */
export const FRONTS = {
  async rest(call: TurnCall): Promise<TurnAnswer> {
    const response = await post(call, '/agent/counter/chat', restBody(call));
    const answer = (await response.json()) as RestAnswer;
    return answer.status === 'waiting' ? allow(call, answer) : toAnswer(answer, response.status);
  },
  async stream(call: TurnCall): Promise<TurnAnswer> {
    const response = await post(call, '/agent/counter/chat/stream', restBody(call), 'text/event-stream');
    if (response.status !== 200) return toAnswer((await response.json()) as RestAnswer, response.status);
    const end = framesOf(await response.text()).findLast(({ type }) => type === 'stream_end' || type === 'error');
    return end ? toAnswer(end as unknown as RestAnswer, 200) : cut();
  },
  async agui(call: TurnCall): Promise<TurnAnswer> {
    const { key, message, place } = call;
    const messages = [{ id: `m-${key}`, role: 'user', content: message }];
    const body = { threadId: place ?? `t-${key}`, runId: key, messages, tools: [], context: [], state: {} };
    const response = await post(call, '/awp', body, 'text/event-stream');
    if (response.status !== 200) return toAnswer((await response.json()) as RestAnswer, response.status);
    const frames = framesOf(await response.text());
    const end = frames.findLast(({ type }) => type === 'RUN_FINISHED' || type === 'RUN_ERROR');
    if (!end) return cut();
    if (end.type === 'RUN_ERROR') return { status: `error ${end.code}`, session: '', content: '' };
    const { session_id: session, status, error } = end.result as RestAnswer;
    const deltas = frames.filter(({ type }) => type === 'TEXT_MESSAGE_CONTENT').map(({ delta }) => String(delta));
    const text = { session: session ?? '', content: deltas.join('') };
    return { status: status ?? 'completed', ...text, ...(error && { code: error.code }) };
  },
};

/** Allows the call of a member. The answer has a key of its own, so that it is taken once. */
async function allow(call: TurnCall, { session_id, asked = [] }: RestAnswer): Promise<TurnAnswer> {
  const answers = asked.map(({ call_id }) => ({ call_id, approved: true }));
  const response = await post({ ...call, key: `${call.key}-yes` }, `/sessions/${session_id}/resume`, answers);
  return toAnswer((await response.json()) as RestAnswer, response.status);
}

interface RestAnswer {
  status?: string;
  asked?: { call_id: string }[];
  session_id?: string;
  content?: string;
  code?: string;
  error?: { code: string };
}

function toAnswer({ status, session_id, content, code, error }: RestAnswer, http: number): TurnAnswer {
  const reason = error ? `error ${error.code}` : `${http} ${code ?? ''}`;
  const text = { session: session_id ?? '', content: content ?? '' };
  return { status: (http === 200 && status) || reason, ...text, ...(error && { code: error.code }) };
}

function cut(): TurnAnswer {
  return { status: 'cut off', session: '', content: '' };
}

function restBody({ message, place }: TurnCall) {
  return { message, ...(place && { session_id: place }) };
}

function post({ url, token, key, timeoutMs }: TurnCall, path: string, body: object, accept = 'application/json') {
  return fetch(`${url}${path}`, {
    method: 'POST',
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      accept,
      'idempotency-key': key,
      connection: 'close',
    },
    body: JSON.stringify(body),
  });
}

function framesOf(text: string): Record<string, unknown>[] {
  const lines = text.split('\n').filter((line) => line.startsWith('data: '));
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line.slice(6))];
    } catch {
      return []; // cut in the middle
    }
  });
}
