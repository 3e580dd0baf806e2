import { rm } from 'node:fs/promises';
import type { Clock } from '../../clock.ts';
import { AppError, toAppError } from '../../errors.ts';
import type { Ids } from '../../ids.ts';
import { createRuntime, type Runtime, type RuntimeOptions } from '../../runtime/runtime.ts';
import type { Agent } from '../../schema/agent.ts';
import type { CaseStatus, MetricScore, TurnReport } from '../../schema/tests/run-report.ts';
import { type TestTurn, turnsOf } from '../../schema/tests/test-case.ts';
import type { NamedCase } from '../cases/read-test-cases.ts';
import type { Tape } from '../cassette/tape.ts';
import { checkTurn } from '../expect/check-turn.ts';
import { type MeasuredTurn, shorten } from '../expect/outcome.ts';
import {
  clockAt,
  createPeople,
  linkDatabases,
  makeCaseFolder,
  openCaseFiles,
  type Person,
  readTasks,
} from './case-parts.ts';
import { readTurn } from './run-turn.ts';

export interface CaseDeps {
  agent: Agent;
  clock: Clock;
  ids: Ids;
  /** Takes the measures of an answer. */
  measure(turn: MeasuredTurn): Promise<MetricScore[]>;
  /** Databases made from CSV files, shared by all cases: they are only read. */
  spaces?: string;
  /** Records or repeats the case. */
  tape?: Tape;
  /** Repeats the recorded case through the fronts, after the case itself. Returns a difference, for people. */
  checkFronts?(): Promise<string | undefined>;
  /** Replaces parts of the runtime, such as its model. */
  parts?: Partial<RuntimeOptions>;
}

export interface CaseRun {
  status: CaseStatus;
  turns: TurnReport[];
  error?: string;
  ms: number;
}

/** Runs a case once, in a data folder, with users, a clock and servers of its own. Never throws. */
export async function runCase(testCase: NamedCase, deps: CaseDeps): Promise<CaseRun> {
  const startMs = deps.clock.now();
  const turns: TurnReport[] = [];
  const folder = await makeCaseFolder('case');
  let runtime: Runtime | undefined;
  try {
    if (deps.spaces) linkDatabases(folder, deps.spaces);
    const { agent, tape } = deps;
    const { clock, ids } = tape ?? { clock: clockAt(deps.clock, testCase.now), ids: deps.ids };
    const tap = tape && { tap: tape.tap };
    runtime = await createRuntime({ agents: [agent], folder, clock, ids, ...tap, ...deps.parts });
    const people = createPeople(testCase, ids);
    for (const [index, turn] of turnsOf(testCase).entries()) {
      turns.push(await runCaseTurn(turn, { ...deps, testCase, index, runtime, person: people(turn.user) }));
    }
    const difference = tape?.finish() ?? (await deps.checkFronts?.());
    const ms = deps.clock.now() - startMs;
    return difference === undefined
      ? { status: worst(turns), turns, ms }
      : { status: 'error', turns, error: difference, ms };
  } catch (error) {
    return { status: 'error', turns, error: describeError(error), ms: deps.clock.now() - startMs };
  } finally {
    await runtime?.stop().catch(() => {});
    await rm(folder, { recursive: true, force: true });
  }
}

interface TurnDeps extends CaseDeps {
  testCase: NamedCase;
  index: number;
  runtime: Runtime;
  person: Person;
}

async function runCaseTurn(turn: TestTurn, deps: TurnDeps): Promise<TurnReport> {
  const { agent, runtime, person, clock, testCase, index } = deps;
  const files = await openCaseFiles(turn.files ?? [], agent.folder);
  const { user, conversationId } = person;
  const startMs = clock.now();
  const sent = { agent: agent.name, message: turn.input, files, ...(conversationId && { conversationId }) };
  const chat = await runtime.chat(user, sent);
  person.conversationId = chat.conversationId;
  const { result, approvals } = await readTurn(chat, { runtime, user, approve: turn.approve });
  const ms = clock.now() - startMs;
  deps.tape?.takeEvents(await runtime.readEvents(user, chat.turnId));
  const tasks = turn.expected_tasks ? await readTasks({ agent, runtime, user }) : undefined;
  const isFree = agent.model.provider === 'builtin';
  const outcome = { turn, result, approvals, isFree, ms, ...(tasks && { tasks }) };
  const metrics = await deps.measure({ testCase, index, outcome });
  const { content, status, tool_calls, iterations, tokens_used } = result;
  return {
    ...(turn.user && { user: turn.user }),
    input: turn.input,
    content,
    status,
    tools: tool_calls.map((call) => ({ name: call.name, arguments: call.arguments, state: call.state })),
    failures: checkTurn(outcome),
    metrics,
    steps: iterations,
    ...(tokens_used && { tokens: tokens_used.total_tokens }),
    ...(tokens_used?.cost_usd !== undefined && { cost_usd: tokens_used.cost_usd }),
    ms: Math.round(ms),
  };
}

/** An error says that nobody knows whether the agent is right, so it is stronger than a failure. */
function worst(turns: readonly TurnReport[]): CaseStatus {
  const isError = turns.some(
    ({ failures, metrics }) =>
      failures.some(({ error }) => error) || metrics.some(({ error, passed }) => error !== undefined && !passed),
  );
  if (isError) return 'error';
  const hasFailed = turns.some(({ failures, metrics }) => failures.length > 0 || metrics.some(({ passed }) => !passed));
  return hasFailed ? 'failed' : 'passed';
}

function describeError(error: unknown): string {
  const { message, author, cause } = toAppError(error);
  const inner = error instanceof AppError ? author : String(cause);
  return shorten([message, inner].filter(Boolean).join(' '));
}
