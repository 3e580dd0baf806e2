/** A model on loopback that speaks OpenAI's chat completions and plays the scenario in the prompt. */
import http, { type ServerResponse } from 'node:http';
import { FIRST, fromBody, LAST, type Scenario, toPrompt } from './scenario.ts';

const held = new Set<() => void>();
const stats = { requests: 0, active: 0 };
const texts = new Map<number, string[]>();

/** Its own id for every answer: some runtimes merge messages of the same id. */
let answers = 0;

const line = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const chunk = (delta: object, finish: string | null = null, id = 'chatcmpl-1') =>
  line({
    id,
    object: 'chat.completion.chunk',
    created: 1,
    model: 'mock',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  });
const ending = (finish: string, tokens: number) => {
  const usage = { prompt_tokens: 10, completion_tokens: tokens, total_tokens: 10 + tokens };
  return `${chunk({}, finish)}${line({ id: 'chatcmpl-1', choices: [], usage })}data: [DONE]\n\n`;
};

function textLines(tokens: number): string[] {
  const known = texts.get(tokens);
  if (known) return known;
  const words = Array.from({ length: tokens }, (_, index) => `tok${index} `);
  words[0] = `${FIRST} `;
  words[tokens - 1] = LAST;
  const lines = words.map((content, index) => chunk(index === 0 ? { role: 'assistant', content } : { content }));
  texts.set(tokens, lines);
  return lines;
}

function callLines({ calls = 1, toolMs = 0, task }: Scenario): string {
  const answer = ++answers;
  const all = Array.from({ length: calls }, (_, index) => {
    const args = JSON.stringify(task ? { task: toPrompt(task) } : { ms: toolMs, n: index });
    const call = {
      index,
      id: `call_${answer}_${index}`,
      type: 'function',
      function: { name: task ? 'delegate_to_clerk' : 'work', arguments: args },
    };
    const role = index === 0 && { role: 'assistant', content: null };
    return chunk({ ...role, tool_calls: [call] }, null, `chatcmpl-calls-${answer}`);
  });
  return `${all.join('')}${ending('tool_calls', 8 * calls)}`;
}

function answer(response: ServerResponse, body: string): void {
  const scenario = fromBody(body);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const results = body.slice(body.lastIndexOf('[[')).match(/"role": ?"tool"/g)?.length ?? 0;
  const { calls = 0, steps = 1, task } = scenario;
  // After a delegation the newest scenario is the member's.
  if (task || results < calls * steps) {
    response.end(callLines(scenario));
    return;
  }
  const lines = textLines(scenario.tokens ?? 20);
  const last = ending('stop', lines.length);
  if (!scenario.gapMs && !scenario.isHeld) response.end(lines.join('') + last);
  else pace(response, { lines, last, gapMs: scenario.gapMs ?? 5, isHeld: scenario.isHeld ?? false });
}

function pace(
  response: ServerResponse,
  { lines, last, gapMs, isHeld }: { lines: string[]; last: string; gapMs: number; isHeld: boolean },
): void {
  let next = 1;
  let timer: NodeJS.Timeout | undefined;
  stats.active++;
  response.write(lines[0]);
  const go = () => {
    timer = setInterval(() => {
      if (next < lines.length) response.write(lines[next++]);
      else response.end(last);
    }, gapMs);
  };
  response.once('close', () => {
    stats.active--;
    held.delete(go);
    clearInterval(timer);
  });
  if (isHeld) held.add(go);
  else go();
}

const server = http.createServer((request, response) => {
  if (request.url === '/stats') return void response.end(JSON.stringify(stats));
  if (request.url === '/gate') {
    for (const go of held) go();
    held.clear();
    return void response.end();
  }
  let body = '';
  request.setEncoding('latin1').on('data', (piece) => {
    body += piece;
  });
  request.on('end', () => {
    stats.requests++;
    answer(response, body);
  });
});
server.listen({ port: Number(process.env.PORT), host: '127.0.0.1', backlog: 4096 });
