import { readFileSync } from 'node:fs';
import { readMessageFacts } from '../src/builtin/message-facts.ts';
import { scoreTools } from '../src/builtin/score-tools.ts';
import { readToolDocument } from '../src/builtin/tool-document.ts';
import { loadWordVectors } from '../src/builtin/word-vectors.ts';
import type { JsonObject } from '../src/schema/json.ts';
import type { Miss } from './eval-intents.ts';

const DATA = new URL('../data/builtin/tools/', import.meta.url);

interface Row {
  id: string;
  question: { role: string; content: string }[][];
  function: { name: string; description: string; parameters: JsonObject }[];
}

export interface ToolChoiceScore {
  count: number;
  right: number;
  misses: Miss[];
  p95Ms: number;
}

/** The right function among several, from their schemas alone. */
export function scoreToolChoice(name: string): ToolChoiceScore {
  const answers = new Map(
    readRows<{ id: string; ground_truth: object[] }>(`${name}_ans.jsonl`).map((row) => [row.id, row]),
  );
  const vectors = loadWordVectors();
  const times: number[] = [];
  const misses = readRows<Row>(`${name}.jsonl`).flatMap((row) => {
    const expected = Object.keys(answers.get(row.id)?.ground_truth[0] ?? {});
    const started = performance.now();
    const got = chooseFunction(row, vectors);
    times.push(performance.now() - started);
    return expected.includes(got) ? [] : [{ text: messageOf(row), expected: expected.join(), got }];
  });
  return {
    count: times.length,
    right: 1 - misses.length / times.length,
    misses,
    p95Ms: times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0,
  };
}

function chooseFunction(row: Row, vectors: ReturnType<typeof loadWordVectors>): string {
  const documents = row.function.map(({ name, description, parameters }) =>
    readToolDocument({ name, description, inputSchema: parameters }),
  );
  const scores = scoreTools(readMessageFacts(messageOf(row)), documents, vectors);
  return scores.reduce((best, score) => (score.total > best.total ? score : best)).document.tool.name;
}

function messageOf({ question }: Row): string {
  return (question[0] ?? []).flatMap((message) => (message.role === 'user' ? message.content : [])).join(' ');
}

function readRows<T>(name: string): T[] {
  return readFileSync(new URL(name, DATA), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
