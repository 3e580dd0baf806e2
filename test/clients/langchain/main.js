import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';

// Talks to the server at URL as LangChain does, and prints one line of JSON per step.
const open = (more = {}) =>
  new ChatOpenAI({
    model: 'helper',
    apiKey: 'alice',
    maxRetries: 0,
    configuration: { baseURL: `${process.env.URL}/v1` },
    ...more,
  });
const print = (step, value) => console.log(JSON.stringify({ step, ...value }));
const model = open();

const text = await model.invoke('hello');
print('text', { text: text.text, reason: text.response_metadata.finish_reason });

const pieces = [];
for await (const piece of await model.stream('hello')) pieces.push(piece.text);
print('stream', { text: pieces.join('') });

print('own tool', { text: (await model.invoke('use a tool')).text });

const pick = {
  type: 'function',
  function: {
    name: 'pick',
    description: 'Lets the user pick a colour',
    parameters: { type: 'object', properties: { from: { type: 'string' } } },
  },
};
const withTool = model.bindTools([pick]);
const question = new HumanMessage('pick a colour');
const asks = await withTool.invoke([question]);
const calls = asks.tool_calls.map(({ name, args }) => ({ name, args }));
print('tool', { calls, reason: asks.response_metadata.finish_reason });
const results = asks.tool_calls.map(({ id }) => new ToolMessage({ tool_call_id: id, content: 'blue' }));
print('result', { text: (await withTool.invoke([question, asks, ...results])).text });

let streamed;
for await (const piece of await withTool.stream([question])) streamed = streamed ? streamed.concat(piece) : piece;
print('streamed tool', { calls: streamed.tool_calls.map(({ name, args }) => ({ name, args })) });

print('denied', { text: (await model.invoke('remove all')).text });
const named = open({ configuration: { baseURL: `${process.env.URL}/v1`, defaultHeaders: { 'x-session-id': 'ours' } } });
print('asked', { text: (await named.invoke('remove all')).text.replace(/sessions\/\w+/, 'sessions/ID') });

const failure = await model.invoke('fail').catch((error) => error);
print('failed', { status: failure.status, isError: failure instanceof Error });
const stranger = await open({ apiKey: 'mallory' })
  .invoke('hello')
  .catch((error) => error);
print('stranger', { status: stranger.status });

const leave = new AbortController();
let heard = '';
try {
  for await (const piece of await model.stream('hang', { signal: leave.signal })) {
    heard += piece.text;
    if (heard) leave.abort();
  }
  print('cancelled', { heard });
} catch (error) {
  print('cancelled', { heard, error: error.name });
}

print('responses', { text: (await open({ useResponsesApi: true }).invoke('hello')).text });
