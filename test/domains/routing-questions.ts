import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { decide } from '../../src/routing/decide/decide.ts';
import { createRegistry, type Registry } from '../../src/routing/decide/registry.ts';
import { AgentFile } from '../../src/schema/agent.ts';
import type { TurnResult } from '../../src/schema/conversation/turn.ts';

interface RoutingMiss {
  question: string;
  expected: string;
  got: string;
}

/** Shares of questions whose exact set of domains was found. */
export interface RoutingScore {
  count: number;
  single: number;
  several: number;
  exact: number;
  declined: number;
  misses: RoutingMiss[];
}

const AGENT = new URL('../../agents/retail/agent.yaml', import.meta.url);

export function readRetailRegistry(): Registry {
  return createRegistry(AgentFile.parse(parse(readFileSync(AGENT, 'utf8'))).domains);
}

/**
 * Routes every question of a file (`domains<TAB>question`; no domains means that it must be declined), without history.
 */
export function scoreRouting(file: string | URL, registry: Registry): RoutingScore {
  const rows = readQuestions(file).map(({ question, expected }) => {
    const decision = decide({ text: question, earlier: [] }, registry);
    return { question, expected, got: decision.identified_domains.toSorted().join() };
  });
  const share = (wanted: (expected: string) => boolean) => {
    const asked = rows.filter(({ expected }) => wanted(expected));
    return asked.length === 0 ? 1 : asked.filter(({ expected, got }) => expected === got).length / asked.length;
  };
  return {
    count: rows.length,
    single: share((expected) => expected !== '' && !expected.includes(',')),
    several: share((expected) => expected.includes(',')),
    exact: share((expected) => expected !== ''),
    declined: share((expected) => expected === ''),
    misses: rows.filter(({ expected, got }) => expected !== got),
  };
}

function readQuestions(file: string | URL): { question: string; expected: string }[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n').slice(1);
  return lines.map((line) => {
    const [domains = '', question = ''] = line.split('\t');
    return { question, expected: domains.split(',').toSorted().join() };
  });
}

/** A question, and the words that no answer can use; empty if all of it can be answered. */
export interface ConditionQuestion {
  question: string;
  unanswered: string;
}

export interface ConditionScore {
  /** Questions with an unusable condition whose answer reported it or that were declined. */
  noticed: number;
  conditions: number;
  /** Questions without such a condition whose answer reported one. */
  falseAlarms: number;
  plain: number;
  misses: { question: string; expected: string; got: string }[];
}

export function readConditionQuestions(file: string | URL): ConditionQuestion[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n').slice(1);
  return lines.map((line) => {
    const [unanswered = '', question = ''] = line.split('\t');
    return { question, unanswered };
  });
}

/** Asks every question and checks whether its answer reports the unused words. */
export async function scoreConditions(
  questions: readonly ConditionQuestion[],
  ask: (question: string) => Promise<TurnResult>,
): Promise<ConditionScore> {
  const score: ConditionScore = { noticed: 0, conditions: 0, falseAlarms: 0, plain: 0, misses: [] };
  for (const { question, unanswered } of questions) {
    const result = await ask(question);
    const got = result.sources.length === 0 ? 'declined' : (toldOf(result) ?? 'nothing');
    const isRight = unanswered === '' ? isPlain(result) : got === 'declined' || isNoticed(result, unanswered);
    if (unanswered === '') score.plain++;
    else score.conditions++;
    if (unanswered === '' && !isRight) score.falseAlarms++;
    if (unanswered !== '' && isRight) score.noticed++;
    if (!isRight) score.misses.push({ question, expected: unanswered, got: `${got}, ${result.confidence}` });
  }
  return score;
}

function toldOf({ error_details = [] }: TurnResult): string | undefined {
  return error_details.find(({ reason }) => reason.includes('not taken into account'))?.reason;
}

function isPlain(result: TurnResult): boolean {
  return result.confidence === 'high' && toldOf(result) === undefined;
}

/** True if the answer and its details report the words, and the confidence is not high. */
function isNoticed(result: TurnResult, unanswered: string): boolean {
  const told = toldOf(result) ?? '';
  const isTold = told !== '' && result.content.includes(told) && told.toLowerCase().includes(unanswered.toLowerCase());
  return isTold && (result.confidence === 'medium' || result.confidence === 'low');
}
