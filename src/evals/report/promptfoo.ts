import type { Agent } from '../../schema/agent.ts';
import type { Json, JsonObject } from '../../schema/json.ts';
import type { Metric } from '../../schema/tests/evaluation.ts';
import { type Phrase, type TestTurn, turnsOf } from '../../schema/tests/test-case.ts';
import type { NamedCase } from '../cases/read-test-cases.ts';

/** Cases as a promptfoo configuration, and the expectations that promptfoo has no assertion for. */
export interface PromptfooExport {
  config: JsonObject;
  left: string[];
}

/**
 * Cases of one turn in promptfoo's format. Its provider is the agent's REST route, as `holodeck serve` answers it. Cases
 * that need a conversation, an approval or several users would test something else there, so they are left out.
 */
export function toPromptfoo(agent: Agent, cases: readonly NamedCase[]): PromptfooExport {
  const left = new Set<string>();
  const tests = cases.flatMap((testCase): JsonObject[] => {
    const [turn, ...more] = turnsOf(testCase);
    if (!turn || more.length > 0 || turn.approve || turn.user !== undefined) {
      left.add(`the case "${testCase.name}"`);
      return [];
    }
    const assert = assertionsOf(turn, metricsOf(agent, testCase, turn), left);
    return [{ description: testCase.name, vars: { message: turn.input }, ...(assert.length > 0 && { assert }) }];
  });
  const provider = {
    id: 'http',
    label: agent.name,
    config: {
      url: `http://127.0.0.1:${agent.server.port}/agent/${agent.name}/chat`,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: { message: '{{message}}' },
      transformResponse: '({ output: json.content, metadata: { tool_calls: json.tool_calls ?? [] } })',
    },
  };
  const description = `${agent.name}, exported from HoloDeck`;
  return { config: { description, prompts: ['{{message}}'], providers: [provider], tests }, left: [...left] };
}

function metricsOf(agent: Agent, testCase: NamedCase, turn: TestTurn): Metric[] {
  const all = turn.evaluations ?? testCase.evaluations ?? agent.evaluations?.metrics ?? [];
  return all.filter(({ enabled }) => enabled);
}

const CONVERTED = new Set(
  `input approve expected_tools forbidden_tools expected_content forbidden_content ground_truth evaluations turn_config
  limits`.split(/\s+/),
);

function assertionsOf(turn: TestTurn, metrics: readonly Metric[], left: Set<string>): JsonObject[] {
  for (const key of Object.keys(turn)) if (!CONVERTED.has(key)) left.add(key);
  return [
    ...(turn.expected_tools ?? []).map((tool) => calledAssertion(tool)),
    ...(turn.forbidden_tools ?? []).map((name) => script(`!${CALLS}.some(${isNamed(name)})`)),
    ...(turn.expected_content ?? []).map((phrase) => contentAssertion(phrase, '')),
    ...(turn.forbidden_content ?? []).map((phrase) => contentAssertion(phrase, 'not-')),
    ...limitAssertions(turn, left),
    ...metrics.flatMap((metric) => metricAssertion(metric, turn, left)),
  ];
}

/** The tool calls, as `transformResponse` keeps them. */
const CALLS = '(context.providerResponse?.metadata?.tool_calls ?? [])';

function script(value: string): JsonObject {
  return { type: 'javascript', value };
}

function isNamed(name: string): string {
  return name === '*' ? '() => true' : `({ name }) => name.includes(${JSON.stringify(name)})`;
}

/** Literal arguments are compared; a fuzzy text or an expression is tested in lower case or as it is. */
function calledAssertion(tool: NonNullable<TestTurn['expected_tools']>[number]): JsonObject {
  const { name, args = {}, count = 1 } = typeof tool === 'string' ? { name: tool } : tool;
  const tests = Object.entries(args).map(([key, matcher]) => {
    const value = `String(call.arguments?.[${JSON.stringify(key)}])`;
    if (isKey(matcher, 'regex')) return `new RegExp(${JSON.stringify(`^(?:${matcher.regex})$`)}, 'u').test(${value})`;
    if (isKey(matcher, 'fuzzy'))
      return `${value}.toLowerCase().includes(${JSON.stringify(matcher.fuzzy.toLowerCase())})`;
    return `JSON.stringify(call.arguments?.[${JSON.stringify(key)}]) === ${JSON.stringify(JSON.stringify(matcher))}`;
  });
  const holds = [`call.name.includes(${JSON.stringify(name)})`, ...tests].join(' && ');
  return script(`${CALLS}.filter((call) => ${holds}).length >= ${count}`);
}

function isKey<Key extends string>(value: unknown, key: Key): value is Record<Key, string> {
  return typeof value === 'object' && value !== null && key in value;
}

function contentAssertion(phrase: Phrase, not: '' | 'not-'): JsonObject {
  if (typeof phrase === 'string') return { type: `${not}icontains`, value: phrase };
  return { type: `${not}regex`, value: phrase.regex };
}

function limitAssertions({ limits }: TestTurn, left: Set<string>): JsonObject[] {
  const { seconds, ...others } = limits ?? {};
  for (const key of Object.keys(others)) left.add(`limits.${key}`);
  return seconds === undefined ? [] : [{ type: 'latency', threshold: seconds * 1000 }];
}

function metricAssertion(metric: Metric, { ground_truth: truth }: TestTurn, left: Set<string>): JsonObject[] {
  const graded = { ...('threshold' in metric && metric.threshold !== undefined && { threshold: metric.threshold }) };
  if (metric.type === 'geval') return [{ type: 'llm-rubric', value: metric.criteria, ...graded }];
  const name = 'metric' in metric ? metric.metric : metric.type === 'rag' ? metric.metric_type : metric.grader;
  const value: Json | undefined = ('value' in metric ? metric.value : undefined) ?? truth;
  const simple = SIMPLE[name];
  if (simple !== undefined && value !== undefined) return [{ type: simple, value, ...graded }];
  if ('metric' in metric && metric.metric === 'json_schema') {
    return [{ type: 'is-json', ...(metric.schema && { value: metric.schema }) }];
  }
  if (simple === undefined) left.add(name);
  return [];
}

/** Measures with an assertion of the same meaning. */
const SIMPLE: Readonly<Record<string, string>> = {
  equality: 'equals',
  contains: 'icontains',
  regex: 'regex',
  rouge: 'rouge-n',
  bleu: 'bleu',
  meteor: 'meteor',
  similarity: 'similar',
};
