import createClient from 'openapi-fetch';
import type { components, paths } from './api.d.ts';

type Answer = components['schemas']['ChatResponse'];

// Reads the fields of answers as they are described: a union that needs narrowing, or a missing field, does not compile.
export async function use(baseUrl: string, print: (step: string, value: object) => void): Promise<void> {
  const headers = { authorization: 'Bearer alice' };
  // Some routes answer with JSON or with events; the second type argument chooses JSON.
  const client = createClient<paths, `application/${string}`>({ baseUrl, headers });
  const name = { name: 'helper' };
  const { data, error } = await client.POST('/agent/{name}/chat', {
    params: { path: name },
    body: { message: 'use a tool' },
  });
  if (error) throw new Error(error.detail ?? error.title);
  const [call] = data.tool_calls;
  print('chat', { text: data.content, status: data.status, call: [call?.name, call?.status], sources: data.sources });

  const id = { id: data.session_id };
  const talk = await client.GET('/sessions/{id}', { params: { path: id } });
  print('history', { roles: talk.data?.messages.map(({ role }) => role) });
  const list = await client.GET('/sessions', { params: { query: { limit: 5 } } });
  print('list', { isListed: list.data?.sessions.some((session) => session.session_id === data.session_id) });

  const body = { message: 'remove all' };
  const asked = await client.POST('/agent/{name}/chat', { params: { path: name }, body });
  const waiting = asked.data?.tool_calls.find(({ status }) => status === 'waiting');
  print('asked', { status: asked.data?.status, tool: waiting?.name });
  const path = { id: asked.data?.session_id ?? '' };
  const resumed = await client.POST('/sessions/{id}/resume', {
    params: { path },
    body: [{ call_id: waiting?.id ?? '', approved: true }],
  });
  const answer: Answer | undefined = resumed.data;
  print('approved', { text: answer?.content });

  const tools = await client.GET('/agent/{name}/tools', { params: { path: name } });
  print('tools', { names: tools.data?.tools.map((tool) => tool.name).toSorted() });
  const unknown = await client.POST('/agent/{name}/chat', { params: { path: { name: 'nobody' } }, body });
  print('unknown', { status: unknown.response.status, code: unknown.error?.code });
  const removed = await client.DELETE('/sessions/{id}', { params: { path: id } });
  print('removed', { status: removed.response.status });
}
