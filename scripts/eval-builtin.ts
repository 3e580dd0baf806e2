import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { AgentFile } from '../src/schema/agent.ts';
import { scoreDeterminism } from './eval-determinism.ts';
import { countUnaskedDeletions, readSentences, type Sentence, scoreCollected, scoreSentences } from './eval-intents.ts';
import { measureInChild } from './eval-speed.ts';
import { scoreToolChoice } from './eval-tools.ts';

/** Prints how good the built-in model is, each number beside what it must reach, and fails when one is missed. */
interface Row {
  what: string;
  measured: number;
  limit: number;
  kind: 'share at least' | 'share at most' | 'at most';
  unit?: string;
}

const showMisses = process.argv.includes('--misses');
const { intents } = AgentFile.parse(parse(readFileSync(new URL('../agents/todo/agent.yaml', import.meta.url), 'utf8')));
const heldOut = readSentences('sentences-heldout.tsv');
const phrases = readSentences('intents/phrases.tsv');
const both = [...heldOut, ...phrases];
const speed = measureInChild({ intents });
const rows = [
  ...sentenceRows('held-out sentences', heldOut),
  ...sentenceRows('phrases of public chatbots', phrases),
  ...collectedRows(),
];
rows.push(
  { what: 'deletions that nobody asked for', measured: countUnaskedDeletions(both), limit: 0, kind: 'at most' },
  ...toolRows('BFCL multiple', 'bfcl_multiple', 0.98),
  ...toolRows('BFCL live_multiple', 'bfcl_live_multiple_first450', 0.9),
  {
    what: 'determinism, 10 runs',
    measured: await scoreDeterminism(both.map(({ text }) => text)),
    limit: 1,
    kind: 'share at least',
  },
  { what: 'one message, p95', measured: speed.p95Ms, limit: 5, kind: 'at most', unit: 'ms' },
  { what: 'to the first answer', measured: speed.loadMs, limit: 300, kind: 'at most', unit: 'ms' },
  { what: 'added memory', measured: speed.addedMb, limit: 150, kind: 'at most', unit: 'MB' },
);
printTable(rows);
process.exitCode = rows.every(isMet) ? 0 : 1;

function sentenceRows(name: string, sentences: readonly Sentence[]): Row[] {
  const score = scoreSentences(sentences);
  if (showMisses) console.table(score.misses);
  return [
    { what: `7 intents, ${score.count} ${name}`, measured: score.intents, limit: 0.92, kind: 'share at least' },
    { what: `clarification F1, ${name}`, measured: score.clarificationF1, limit: 0.85, kind: 'share at least' },
    { what: `slots exactly right, ${name}`, measured: score.slots, limit: 0.93, kind: 'share at least' },
  ];
}

function collectedRows(): Row[] {
  const score = scoreCollected('intents/val.jsonl');
  if (showMisses) console.table(score.misses);
  return [
    {
      what: `intents, ${score.count} messages of CLINC + HWU val`,
      measured: score.all,
      limit: 0.95,
      kind: 'share at least',
    },
    { what: 'false accepts, CLINC + HWU val', measured: score.falseAccepts, limit: 0.01, kind: 'share at most' },
    {
      what: 'of these only the messages about tasks (no limit)',
      measured: score.tasks,
      limit: 0,
      kind: 'share at least',
    },
  ];
}

function toolRows(name: string, file: string, limit: number): Row[] {
  const score = scoreToolChoice(file);
  if (showMisses) console.table(score.misses);
  return [{ what: `tool choice, ${score.count} of ${name}`, measured: score.right, limit, kind: 'share at least' }];
}

function isMet({ measured, limit, kind }: Row): boolean {
  return kind === 'share at least' ? measured >= limit : measured <= limit;
}

function printTable(all: readonly Row[]): void {
  console.log('| what | measured | must be | |\n|---|---|---|---|');
  for (const row of all) {
    const show = (value: number) =>
      row.kind === 'at most' ? `${+value.toFixed(2)} ${row.unit ?? ''}`.trim() : `${(100 * value).toFixed(1)} %`;
    const sign = row.kind === 'share at least' ? '≥' : '≤';
    console.log(
      `| ${row.what} | ${show(row.measured)} | ${sign} ${show(row.limit)} | ${isMet(row) ? 'ok' : 'MISSED'} |`,
    );
  }
}
