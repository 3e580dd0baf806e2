import type { Json } from '../../schema/json.ts';
import type { Task } from '../../schema/task.ts';
import type { Failure } from '../../schema/tests/run-report.ts';
import type { ExpectedTask, Matcher } from '../../schema/tests/test-case.ts';
import { describeMatcher, matchesValue } from './match-value.ts';
import { type Check, cannotTell, fail } from './outcome.ts';

/** The user's tasks after the turn: exactly the expected ones, in any order. */
export const checkTasks: Check = ({ turn: { expected_tasks: expected }, tasks }) => {
  if (!expected) return [];
  const wanted = expected.length === 0 ? 'no task' : expected.map(describeExpected).join('; ');
  if (!tasks) return [cannotTell('expected_tasks', wanted, 'the agent has no built-in task list')];
  const happened = tasks.length === 0 ? 'no task' : tasks.map(describeTask).join('; ');
  const isSame = tasks.length === expected.length && canPair(expected, tasks);
  return isSame ? [] : [fail('expected_tasks', wanted, happened)];
};

/** True if every expectation gets a task of its own. Expectations are few, so trying all pairs is cheap. */
function canPair(expected: readonly ExpectedTask[], tasks: readonly Task[]): boolean {
  const [first, ...rest] = expected;
  if (first === undefined) return true;
  return tasks.some((task, index) => isTask(first, task) && canPair(rest, tasks.toSpliced(index, 1)));
}

function isTask(expected: ExpectedTask, task: Task): boolean {
  if (typeof expected === 'string') return task.title === expected;
  return matchersOf(expected).every(([key, matcher]) => matchesValue(matcher, fieldOf(task, key)));
}

function matchersOf(expected: Exclude<ExpectedTask, string>): [string, Matcher][] {
  return Object.entries(expected).flatMap(([key, matcher]) => (matcher === undefined ? [] : [[key, matcher]]));
}

function fieldOf(task: Task, key: string): Json | undefined {
  return Object.entries(task).find(([name]) => name === key)?.[1];
}

function describeExpected(expected: ExpectedTask): string {
  if (typeof expected === 'string') return JSON.stringify(expected);
  return matchersOf(expected)
    .map(([key, matcher]) => `${key} ${describeMatcher(matcher)}`)
    .join(', ');
}

function describeTask({ title, due_date, is_completed }: Task): string {
  return `${JSON.stringify(title)}${due_date ? `, due ${due_date}` : ''}${is_completed ? ', done' : ''}`;
}

/** The turn's bounds. A number that nobody knows is an error, never a pass. */
export const checkLimits: Check = ({ turn: { limits = {} }, result, isFree, ms }) => {
  const { steps, tool_calls, tokens, seconds, cost } = limits;
  const failures: Failure[] = [];
  const compare = (name: string, limit: number | undefined, actual: number | undefined, unknown = '') => {
    if (limit === undefined) return;
    if (actual === undefined) failures.push(cannotTell(`limits.${name}`, `at most ${limit}`, unknown));
    else if (actual > limit) failures.push(fail(`limits.${name}`, `at most ${limit}`, String(actual)));
  };
  compare('steps', steps, result.iterations);
  compare('tool_calls', tool_calls, result.tool_calls.length);
  const used = result.tokens_used?.total_tokens ?? (isFree ? 0 : undefined);
  compare('tokens', tokens, used, 'the model reported no tokens');
  compare('seconds', seconds, ms / 1000);
  compare(
    'cost',
    cost,
    result.tokens_used?.cost_usd ?? (isFree ? 0 : undefined),
    'the price of the model is not known',
  );
  return failures;
};
