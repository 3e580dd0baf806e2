import type { ToolCall } from '../../schema/conversation/tool-call.ts';
import type { Json } from '../../schema/json.ts';
import type { Failure } from '../../schema/tests/run-report.ts';
import type { ExpectedTool } from '../../schema/tests/test-case.ts';
import { describeMatcher, matchesValue } from './match-value.ts';
import { type Check, describeCalls, fail, listNames } from './outcome.ts';

/** Tools that must be called, tools that must not, and approvals that must be asked for. */
export const checkCalls: Check = ({ turn, result, approvals }) => [
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
