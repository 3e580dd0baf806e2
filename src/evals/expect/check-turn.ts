import type { ToolCall } from '../../schema/conversation/tool-call.ts';
import type { TurnResult } from '../../schema/conversation/turn.ts';
import type { Json } from '../../schema/json.ts';
import type { Task } from '../../schema/task.ts';
import type { Failure } from '../../schema/tests/run-report.ts';
import type { ExpectedTask, ExpectedTool, Matcher, TestTurn } from '../../schema/tests/test-case.ts';
import { containsPhrase, describeMatcher, matchesValue } from './match-value.ts';
import { type Check, cannotTell, describeCalls, fail, listNames, shorten, type TurnOutcome } from './outcome.ts';

/** Facts of the answer itself: its status, words, intent, routing, sources, confidence and figures. */
const checkAnswer: Check = ({ turn, result }) => [
  ...checkStatus(turn, result),
  ...checkContent(turn, result),
  ...checkIntent(turn, result),
  ...checkRouting(turn, result),
  ...checkSources(turn, result),
  ...checkFigures(turn, result),
  ...checkTeam(turn, result),
];

function checkStatus({ expected_status }: TestTurn, { status, error, content }: TurnResult): Failure[] {
  const happened = `${status}: ${shorten(error?.message ?? content)}`;
  if (expected_status === undefined) return status === 'error' ? [fail('status', 'an answer', happened)] : [];
  return status === expected_status ? [] : [fail('expected_status', expected_status, happened)];
}

function checkContent({ expected_content = [], forbidden_content = [] }: TestTurn, { content }: TurnResult): Failure[] {
  const missing = expected_content.filter((phrase) => !containsPhrase(phrase, content));
  const present = forbidden_content.filter((phrase) => containsPhrase(phrase, content));
  const answer = `the answer: ${shorten(content)}`;
  return [
    ...missing.map((phrase) => fail('expected_content', describeMatcher(phrase), answer)),
    ...present.map((phrase) => fail('forbidden_content', `no ${describeMatcher(phrase)}`, answer)),
  ];
}

function checkIntent({ expected_intent }: TestTurn, { intent, intents }: TurnResult): Failure[] {
  if (expected_intent === undefined) return [];
  const names = (intents ?? (intent ? [intent] : [])).map(({ name }) => name);
  const expected = typeof expected_intent === 'string' ? [expected_intent] : expected_intent;
  const isSame = expected.length === names.length && expected.every((name, index) => name === names[index]);
  return isSame ? [] : [fail('expected_intent', listNames(expected), listNames(names))];
}

function checkRouting({ expected_routing }: TestTurn, { routing }: TurnResult): Failure[] {
  if (!expected_routing) return [];
  const { domains, ...facts } = Array.isArray(expected_routing) ? { domains: expected_routing } : expected_routing;
  const failures: Failure[] = [];
  const actual = routing?.identified_domains ?? [];
  const reasoning = routing ? ` (${shorten(routing.reasoning, 200)})` : '';
  if (domains && !isSameSet(domains, actual)) {
    failures.push(fail('expected_routing', listNames(domains), `${listNames(actual)}${reasoning}`));
  }
  for (const [key, expected] of Object.entries(facts)) {
    const value = routing?.[key as keyof typeof facts] ?? false; // the keys are those of the decision
    if (value !== expected) failures.push(fail(`expected_routing.${key}`, String(expected), `${value}${reasoning}`));
  }
  return failures;
}

function checkSources(
  { expected_sources, expected_confidence }: TestTurn,
  { sources, confidence }: TurnResult,
): Failure[] {
  const failures: Failure[] = [];
  if (expected_sources && !isSameSet(expected_sources, sources)) {
    failures.push(fail('expected_sources', listNames(expected_sources), listNames(sources)));
  }
  const actual = confidence ?? 'none';
  if (expected_confidence && actual !== expected_confidence) {
    failures.push(fail('expected_confidence', expected_confidence, actual));
  }
  return failures;
}

function checkFigures({ checked_figures: wanted }: TestTurn, { checks = [], content }: TurnResult): Failure[] {
  if (wanted === undefined || wanted === false) return [];
  const unfound = checks.filter(({ found }) => !found).map(({ text }) => text);
  const answer = `the answer: ${shorten(content)}`;
  if (wanted === true) {
    if (checks.length === 0) return [fail('checked_figures', 'an answer with figures', answer)];
    if (unfound.length === 0) return [];
    return [fail('checked_figures', 'every figure is in a tool result', `not found: ${unfound.join(', ')}`)];
  }
  const isChecked = (figure: string) => checks.some(({ text, found }) => found && sameFigure(text, figure));
  const missing = wanted.filter((figure) => !isChecked(figure));
  return missing.map((figure) => fail('checked_figures', `${figure}, found in a tool result`, answer));
}

/** The agents that wrote to the user, and the members that worked for them. */
function checkTeam({ agents, delegations }: TestTurn, { messages, delegations: ran = [] }: TurnResult): Failure[] {
  const wrote = messages.filter(({ role, content }) => role === 'assistant' && content.trim() !== '');
  const speakers = [...new Set(wrote.flatMap(({ metadata }) => (metadata.agent ? [String(metadata.agent)] : [])))];
  const members = ran.map(({ agent }) => agent);
  const isSame = agents === undefined || agents.join() === speakers.join();
  return [
    ...(isSame ? [] : [fail('agents', listNames(agents), listNames(speakers))]),
    ...(delegations && !isSameSet(delegations, members)
      ? [fail('delegations', listNames(delegations), listNames(members))]
      : []),
  ];
}

function sameFigure(a: string, b: string): boolean {
  const bare = (text: string) => text.replace(/[^\d.%-]/g, '');
  return bare(a) === bare(b);
}

function isSameSet(expected: readonly string[], actual: readonly string[]): boolean {
  const [a, b] = [new Set(expected), new Set(actual)];
  return a.size === b.size && [...a].every((name) => b.has(name));
}

/** Tools that must be called, tools that must not, and approvals that must be asked for. */
const checkCalls: Check = ({ turn, result, approvals }) => [
  ...(turn.expected_tools ?? []).flatMap((expected) => checkExpected(expected, result.tool_calls)),
  ...(turn.forbidden_tools ?? []).flatMap((name) => checkForbidden(name, result.tool_calls)),
  ...checkApprovals(turn.expected_approvals, approvals),
];

function checkExpected(expected: ExpectedTool, calls: readonly ToolCall[]): Failure[] {
  const { name, args = {}, count = 1 } = typeof expected === 'string' ? { name: expected } : expected;
  const isMatch = (call: ToolCall) =>
    hasName(call, name) && Object.entries(args).every(([key, matcher]) => matchesValue(matcher, valueAt(call, key)));
  if (calls.filter(isMatch).length >= count) return [];
  const wanted = Object.entries(args).map(([key, matcher]) => `${key} ${describeMatcher(matcher)}`);
  const times = count > 1 ? `${count} calls` : 'a call';
  const what = `${times} of ${name}${wanted.length > 0 ? ` with ${wanted.join(', ')}` : ''}`;
  return [fail('expected_tools', what, describeCalls(calls))];
}

function checkForbidden(name: string, calls: readonly ToolCall[]): Failure[] {
  const made = calls.filter((call) => name === '*' || hasName(call, name));
  if (made.length === 0) return [];
  return [fail('forbidden_tools', name === '*' ? 'no call' : `no call of ${name}`, describeCalls(made))];
}

function checkApprovals(expected: readonly string[] | undefined, asked: readonly string[]): Failure[] {
  if (!expected) return [];
  const missing = expected.filter((name) => !asked.some((tool) => tool.includes(name)));
  const unexpected = asked.filter((tool) => !expected.some((name) => tool.includes(name)));
  if (missing.length + unexpected.length === 0) return [];
  return [fail('expected_approvals', listNames(expected), `asked for: ${listNames(asked)}`)];
}

/** Names match by a part, so that a prefix of the server does not matter. */
function hasName(call: ToolCall, name: string): boolean {
  return call.name.includes(name);
}

/** The sent value counts where the model's argument was replaced or filled in. */
function valueAt(call: ToolCall, key: string): Json | undefined {
  return call.arguments[key] ?? call.sent_arguments?.[key];
}

/** Every expectation of a turn that its outcome does not meet. */
export function checkTurn(outcome: TurnOutcome): Failure[] {
  return CHECKS.flatMap((check) => check(outcome));
}

/** The user's tasks after the turn: exactly the expected ones, in any order. */
const checkTasks: Check = ({ turn: { expected_tasks: expected }, tasks }) => {
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
const checkLimits: Check = ({ turn: { limits = {} }, result, isFree, ms }) => {
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
  const spent = result.tokens_used?.cost_usd ?? (isFree ? 0 : undefined);
  compare('cost', cost, spent, 'the price of the model is not known');
  return failures;
};

const CHECKS: readonly Check[] = [checkAnswer, checkCalls, checkTasks, checkLimits];
