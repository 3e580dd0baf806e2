import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Clock, systemClock } from '../src/clock.ts';
import { loadAgent } from '../src/config/load-agent.ts';
import { userFromId } from '../src/identity/user.ts';
import { createRuntime, type Runtime } from '../src/runtime/runtime.ts';
import type { TurnResult } from '../src/schema/conversation/turn.ts';
import type { User } from '../src/schema/user.ts';

/** The user's messages in docs/guides/conversation.md. */
const MESSAGES = [
  'Hi!',
  'remind me to buy milk tomorrow',
  'add a task to call the dentist on Friday at 10am',
  'I need to finish the quarterly report by next Monday',
  'Remind me to call Mom',
  'what do I need to do?',
  'mark call as done',
  'the second one',
  "actually, change it to 'call Dr. Lee'",
  'undo that',
  'I finished buying milk',
  'show me my completed tasks',
  'remember to cancel the gym',
  'move the report to Friday',
  'what is due this week?',
  'add a task',
  'water the plants',
  'rename the gym task',
  'cancel the gym membership',
  "change 'water the plants' to ''",
  'never mind',
  "what's the weather today?",
  "show me Bob's tasks",
  'add buy stamps to my list and delete the plants task',
  'delete all completed tasks',
  'yes',
  'what is left?',
] as const;

const USER = userFromId('00000000-0000-4000-8000-00000000000a', { timezone: 'Europe/Berlin' });

/** Builds the page by running the conversation with the shipped program. */
export async function writeConversationPage(): Promise<string> {
  const todo = await openTodo({ now: new Date('2026-11-16T08:00:00Z') });
  try {
    const parts: string[] = [];
    let conversationId: string | undefined;
    for (const message of MESSAGES) {
      const said = await todo.say(USER, message, conversationId);
      conversationId = said.conversationId;
      parts.push(describeTurn(message, said.result));
    }
    return `${HEAD}\n${parts.join('\n')}`;
  } finally {
    await todo.close();
  }
}

const HEAD = `# A conversation with the built-in model

Held by the program itself: no key, no network, Monday 16 November 2026, 9 o'clock in Berlin.
\`npm run docs:write\` holds it again and writes this page; a test fails when the page and the program differ.
`;

function describeTurn(message: string, { content, tool_calls, intent, intents }: TurnResult): string {
  const names = (intents ?? (intent ? [intent] : [])).map(({ name }) => name);
  const calls = tool_calls.map((call) => `  ▸ ${call.name} ${describeArguments(call.arguments)}`);
  const lines = [`> ${message}`, ...calls, ...content.split('\n').map((line) => `  ${line}`)];
  return `\`\`\`\n${lines.join('\n')}\n\`\`\`\n${names.join(', ')}\n`;
}

/** Leaves out ids, which are new each time. */
function describeArguments(args: object): string {
  const shown = Object.entries(args).filter(([name]) => !name.endsWith('_id'));
  return shown.map(([name, value]) => `${name} ${JSON.stringify(value)}`).join(', ');
}

const AGENT = fileURLToPath(new URL('../agents/todo/agent.yaml', import.meta.url));

export interface Todo {
  say(user: User, message: string, conversationId?: string): Promise<{ result: TurnResult; conversationId: string }>;
  close(): Promise<void>;
}

/** The shipped todo agent, in a temporary data folder. */
export async function openTodo(options: { now?: Date } = {}): Promise<Todo> {
  const folder = mkdtempSync(join(tmpdir(), 'holodeck-todo-'));
  const clock: Clock = options.now ? { ...systemClock, date: () => options.now ?? new Date() } : systemClock;
  const agent = await loadAgent(AGENT);
  const runtime = await createRuntime({ agents: [agent], folder, clock });
  return {
    say: (user, message, conversationId) => sayTo(runtime, user, { message, conversationId }),
    async close() {
      await runtime.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function sayTo(
  runtime: Runtime,
  user: User,
  { message, conversationId }: { message: string; conversationId: string | undefined },
) {
  const agent = runtime.agents[0]?.name ?? '';
  const turn = await runtime.chat(user, { agent, message, ...(conversationId !== undefined && { conversationId }) });
  let result: TurnResult | undefined;
  for await (const event of turn.events) if (event.type === 'turn-end') result = event.result;
  if (!result) throw new Error(`The turn of "${message}" did not end.`);
  return { result, conversationId: turn.conversationId };
}
