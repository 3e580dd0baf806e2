import { expect, it } from 'vitest';
import { loadAgent } from '../../src/config/load-agent.ts';
import { readTestCases } from '../../src/evals/cases/read-test-cases.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { testAgent, writeAgent } from './scene.ts';

const STANDARD = [
  'groundedness',
  'relevance',
  'coherence',
  'fluency',
  'bleu',
  'rouge',
  'meteor',
  'equality',
  'numeric',
];
const RAG = ['faithfulness', 'contextual_relevancy', 'contextual_precision', 'contextual_recall', 'answer_relevancy'];
const shared = { enabled: true, fail_on_error: false };
const model = { provider: 'ollama', name: 'judge', temperature: 0, max_tokens: 100 };
const judged = { ...shared, model };

/** Every key of the Python HoloDeck's measures and cases. */
const METRICS = [
  ...STANDARD.map((metric) => ({
    type: 'standard',
    metric,
    threshold: 0.5,
    scale: 5,
    retry_on_failure: 3,
    timeout_ms: 1_000,
    custom_prompt: 'Grade it.',
    case_insensitive: true,
    strip_whitespace: true,
    strip_punctuation: true,
    absolute_tolerance: 0.1,
    relative_tolerance: 0.1,
    accept_percent: true,
    accept_thousands_separators: true,
    response_path: 'answer',
    ...judged,
  })),
  ...RAG.map((metric_type) => ({ type: 'rag', metric_type, threshold: 0.5, include_reason: true, ...judged })),
  {
    type: 'geval',
    name: 'Helpful',
    criteria: 'Is it helpful?',
    evaluation_steps: ['Read it.'],
    evaluation_params: ['input', 'actual_output', 'expected_output', 'context', 'retrieval_context'],
    strict_mode: true,
    threshold: 0.7,
    ...judged,
  },
  { type: 'code', grader: 'my_benchmarks:politeness', threshold: 0.8, name: 'Polite', ...shared },
];
const TYPES = ['image', 'pdf', 'text', 'excel', 'word', 'powerpoint', 'csv'];
const files = [
  ...TYPES.map((type) => ({
    path: `a.${type}`,
    type,
    description: 'a file',
    pages: [1],
    sheet: 'one',
    range: 'A1:B2',
  })),
  { url: 'https://example.com/a.pdf', type: 'pdf', cache: true },
];
const turn = {
  input: 'hi',
  ground_truth: '1,234',
  expected_tools: ['list', { name: 'add', args: { a: 1, b: { fuzzy: 'x' }, c: { regex: 'y+' }, d: [1] }, count: 2 }],
  files,
  retrieval_context: ['a text'],
  evaluations: METRICS,
  turn_config: { turn_program: 'divide(1, 2)' },
};

it("all keys of the Python HoloDeck's measures and cases load", async () => {
  const test_cases = [
    { name: 'one', ...turn },
    { name: 'several', turns: [turn, { input: 'again' }], evaluations: METRICS },
  ];
  const agent = await loadAgent(writeAgent({ evaluations: { model, metrics: METRICS }, test_cases }), {
    withTests: true,
  });
  expect(agent.evaluations?.metrics).toHaveLength(METRICS.length);
  expect((await readTestCases(agent)).map(({ name }) => name)).toEqual(['one', 'several']);
});

it('response_path measures one value of an answer in JSON', async () => {
  const numeric = { type: 'standard', metric: 'numeric', accept_percent: true, relative_tolerance: 0.01 };
  const evaluations = ['answer', 'parts.0.share', 'parts.1'].map((response_path) => ({ ...numeric, response_path }));
  const file = writeAgent({ test_cases: [{ input: 'how much?', ground_truth: '0.332', evaluations }] });
  const answer = JSON.stringify({ answer: '33.2%', year: 2024, parts: [{ share: 0.5 }] });
  const { cases } = await testAgent(file, { partsFor: () => ({ model: createScriptedModel(() => answer) }) });
  expect(cases[0]?.turns[0]?.metrics).toMatchObject([
    { score: 1, passed: true },
    { score: 0, passed: false, reason: '0.332 expected, found 0.5' },
    { score: 0, passed: false, reason: 'the answer is no JSON with a value at parts.1' },
  ]);
});

it('a measure of found texts passes from 0.5 on, unless it has its own threshold', async () => {
  const metrics = [0.4, undefined].map((threshold) => ({ type: 'rag', metric_type: 'faithfulness', threshold }));
  const evaluations = JSON.parse(JSON.stringify(metrics));
  const file = writeAgent({ test_cases: [{ input: 'hi', retrieval_context: ['a text'], evaluations }] });
  const judge = createScriptedModel(() => '{"score": 4.5, "reason": "so so"}');
  const { cases } = await testAgent(file, { judge, partsFor: () => ({ model: createScriptedModel(() => 'yes') }) });
  expect(cases[0]?.turns[0]?.metrics.map(({ threshold, passed }) => [threshold, passed])).toEqual([
    [0.4, true],
    [0.5, false],
  ]);
});
