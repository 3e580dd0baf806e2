import type { ToolCall } from '../../schema/conversation/tool-call.ts';
import type { TurnResult } from '../../schema/conversation/turn.ts';
import type { Task } from '../../schema/task.ts';
import type { Failure } from '../../schema/tests/run-report.ts';
import type { TestTurn } from '../../schema/tests/test-case.ts';
import type { NamedCase } from '../cases/read-test-cases.ts';

/** A turn of a case after it ran. */
export interface TurnOutcome {
  turn: TestTurn;
  result: TurnResult;
  /** Names of the tools that an approval was asked for. */
  approvals: readonly string[];
  /** The user's tasks afterwards; undefined if the agent has no built-in task list. */
  tasks?: readonly Task[];
  /** Whether the model is free, so that its cost is known. */
  isFree: boolean;
  ms: number;
}

/** A turn of a case with everything that a measure of its answer needs. */
export interface MeasuredTurn {
  testCase: NamedCase;
  index: number;
  outcome: TurnOutcome;
}

/** A rule over an outcome; an empty list if it holds or if the turn expects nothing of it. */
export type Check = (outcome: TurnOutcome) => Failure[];

/** A failure if the expectation exists and does not hold. */
export function fail(expectation: string, expected: string, happened: string): Failure {
  return { expectation, expected, happened };
}

export function cannotTell(expectation: string, expected: string, reason: string): Failure {
  return { expectation, expected, happened: reason, error: true };
}

const MAX_SHOWN = 400;

export function shorten(text: string, max = MAX_SHOWN): string {
  return text.length > max ? `${text.slice(0, max)}…` : text;
}

export function describeCalls(calls: readonly ToolCall[]): string {
  if (calls.length === 0) return 'no call';
  return calls.map((call) => `${call.name} ${shorten(JSON.stringify(call.arguments), 200)} (${call.state})`).join(', ');
}

export function listNames(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}
