import { userFromId } from '../src/identity/user.ts';
import type { User } from '../src/schema/user.ts';
import { openTodo, type Todo } from './open-todo.ts';

/** Measures "show my tasks" through the whole runtime, with 100 and with 1,000 tasks. Fails over the limits. */
const LIMITS = [
  { tasks: 100, limitMs: 200 },
  { tasks: 1_000, limitMs: 2_000 },
] as const;
const RUNS = 40;

const todo = await openTodo();
const rows = [];
for (const [index, limit] of LIMITS.entries())
  rows.push(await measure(todo, userFromId(`00000000-0000-4000-8000-00000000000${index}`), limit));
await todo.close();
console.log('| list_tasks | p50 | p95 | must be |\n|---|---|---|---|');
for (const { tasks, p50, p95, limitMs } of rows)
  console.log(`| ${tasks} tasks | ${p50.toFixed(0)} ms | ${p95.toFixed(0)} ms | < ${limitMs} ms |`);
process.exitCode = rows.every(({ p95, limitMs }) => p95 < limitMs) ? 0 : 1;

async function measure(opened: Todo, user: User, { tasks, limitMs }: (typeof LIMITS)[number]) {
  for (let index = 0; index < tasks; index++) await opened.say(user, `add a task called "task ${index} of many"`);
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const started = performance.now();
    await opened.say(user, 'show my tasks');
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  return { tasks, limitMs, p50: times[Math.floor(RUNS / 2)] ?? 0, p95: times[Math.floor(RUNS * 0.95)] ?? 0 };
}
