import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { countUnaskedDeletions, readSentences, type Sentence } from '../../src/builtin/sentences-fixture.ts';
import { AgentFile } from '../../src/schema/agent.ts';
import { readConversations, rightShare, scoreConversations, shareOf } from './eval-conversations.ts';
import { scoreEffect } from './eval-effect.ts';
import { scoreCollected, scoreSentences } from './eval-intents.ts';
import { scoreErrands, scoreOutside } from './eval-outside.ts';
import { measureInChild, scoreDeterminism } from './eval-speed.ts';
import { type Part, partOf, readOutsideCases, readPublicCases, scoreToolCalls, type ToolCase } from './eval-tools.ts';
import { findData, hasData } from './find-data.ts';

/** Prints the quality of the built-in model, each number with its limit. Fails if a limit is missed. */
interface Row {
  what: string;
  measured: number;
  limit: number;
  kind: 'share at least' | 'share at most' | 'at most';
  unit?: string;
}

/** Facts about rows that are missed, printed after the table. */
const notes: string[] = [];
const showMisses = process.argv.includes('--misses');
const { intents } = AgentFile.parse(
  parse(readFileSync(new URL('../../agents/todo/agent.yaml', import.meta.url), 'utf8')),
);
const heldOut = readSentences(findData('sentences-heldout.tsv'));
const phrases = hasData('intents/phrases.tsv') ? readSentences(findData('intents/phrases.tsv')) : [];
const both = [...heldOut, ...phrases];
const speed = measureInChild({ intents });
const rows = [
  ...sentenceRows('held-out sentences', heldOut),
  ...(phrases.length > 0 ? sentenceRows('phrases of public chatbots', phrases) : []),
  ...collectedRows(),
];
rows.push(
  {
    what: 'deletions that nobody asked for',
    measured: countUnaskedDeletions([...both, ...readSentences(findData('sentences-dev.tsv'))]),
    limit: 0,
    kind: 'at most',
  },
  ...publicRows(),
  ...toolRows('an outside author, learned from since', readOutsideCases('2026-11-16'), {
    chosen: 0.9,
    called: 0.75,
    declined: 0.85,
  }),
  ...['j', 'k'].flatMap((set) =>
    toolRows(`outside set ${set}`, readOutsideCases(`2026-11-17${set}`), {
      chosen: 0.95,
      called: 0.45,
      declined: 0.8,
    }),
  ),
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
rows.push(...outsideRows(), ...(await effectRows()), ...(await conversationRows()));
printTable(rows);
printMissed(rows);
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

/** Sets written without sight of the code. Their first-sight numbers are in lab/README.md. */
function outsideRows(): Row[] {
  const sets = {
    'outside sentences, learnt from': 'outside',
    'outside sentences of 2026-11-16': '2026-11-16',
    'outside sentences of 2026-11-17, hurried': '2026-11-17a',
    'outside sentences of 2026-11-17, wordy': '2026-11-17b',
    'outside sentences of 2026-11-17, mixed': '2026-11-17c',
    'outside sentences, set j': '2026-11-17j',
    'outside sentences, set k': '2026-11-17k',
    'outside sentences, set l': '2026-11-17l',
    'outside sentences, set m': '2026-11-17m',
  };
  const rows = Object.entries(sets).flatMap(([name, set]): Row[] => {
    if (set === 'outside' && !hasData('outside/sentences.tsv')) return [];
    const { count, intents, slots, misses } = scoreOutside(set);
    if (showMisses) console.log(misses.join('\n'));
    return [
      { what: `7 intents, ${count} ${name}`, measured: intents, limit: 0.85, kind: 'share at least' },
      { what: `all slots, ${name}`, measured: slots, limit: 0.75, kind: 'share at least' },
    ];
  });
  if (!hasData('outside/errands.txt')) return rows;
  const errands = scoreErrands();
  const least = Math.min(...errands.map(({ right, count }) => right / count));
  const what = `${errands[0]?.count} errands, the worst of ${errands.length} wordings`;
  return [...rows, { what, measured: least, limit: 29 / 30, kind: 'share at least' }];
}

async function effectRows(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const set of ['outside', '2026-11-16', '2026-11-17l', '2026-11-17m']) {
    if (set === 'outside' && !hasData('outside/sentences.tsv')) continue;
    const { count, right, misses } = await scoreEffect(set);
    if (showMisses) console.log(misses.join('\n'));
    rows.push({
      what: `right effect, ${count} sentences of ${set}`,
      measured: right,
      limit: 0.85,
      kind: 'share at least',
    });
  }
  return rows;
}

async function conversationRows(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const set of ['2026-11-16', '2026-11-17a', '2026-11-17b', '2026-11-17c', '2026-11-17l', '2026-11-17m'])
    rows.push(...(await rowsOfConversations(set)));
  for (const set of ['2026-11-17l', '2026-11-17m']) rows.push(...(await rowsOfConversations(set, true)));
  return rows;
}

/** The strict count leaves offers unanswered; with `takesOffers` each is taken before the next turn. */
async function rowsOfConversations(name: string, takesOffers = false): Promise<Row[]> {
  const turns = await scoreConversations(readConversations(name), { takesOffers });
  const set = takesOffers ? `${name}, offers taken` : name;
  const missed = turns.filter(({ verdict }) => verdict !== 'right');
  if (showMisses) console.table(missed.map(({ verdict, say, reply }) => ({ verdict, say, reply: reply.slice(0, 80) })));
  return [
    {
      what: `${set}: right turns of ${turns.length} in conversations`,
      measured: rightShare(turns),
      limit: 0.8,
      kind: 'share at least',
    },
    {
      what: `${set}: wrong actions in conversations`,
      measured: shareOf(turns, 'wrong', 'destructive'),
      limit: 0.02,
      kind: 'share at most',
    },
    {
      what: `${set}: destructive wrong actions in conversations`,
      measured: shareOf(turns, 'destructive'),
      limit: 0,
      kind: 'share at most',
    },
  ];
}

function collectedRows(): Row[] {
  if (!hasData('intents/val.jsonl')) return [];
  const score = scoreCollected('intents/val.jsonl');
  if (showMisses) console.table(score.misses);
  notes.push(
    ...Object.entries(score.undecided).map(([kind, count]) => `CLINC + HWU val: ${count} of the misses are ${kind}`),
  );
  return [
    {
      what: `intents, ${score.count} messages of CLINC + HWU val`,
      measured: score.all,
      limit: 0.95,
      kind: 'share at least',
    },
    { what: 'false accepts, CLINC + HWU val', measured: score.falseAccepts, limit: 0.01, kind: 'share at most' },
    {
      what: 'of these only the messages about tasks',
      measured: score.tasks,
      limit: 0.93,
      kind: 'share at least',
    },
  ];
}

/** Other scripts, or none of the words that nearly every English sentence has. */
function isForeign(text: string): boolean {
  return (
    /[^\p{Script=Latin}\p{Script=Common}]/u.test(text) ||
    (text.split(' ').length > 4 &&
      !/\b(?:the|an?|is|of|to|for|in|my|i|you|me|with|from|what|how|at|on|and|please)\b/i.test(text))
  );
}

interface ToolLimits {
  chosen?: number;
  called?: number;
  declined?: number;
}

function publicRows(): Row[] {
  if (!hasData('tools/bfcl_multiple.jsonl')) return [];
  const irrelevant = readPublicCases('bfcl_live_irrelevance_first200', { hasTruth: false });
  return [
    ...publicToolRows('BFCL multiple', readPublicCases('bfcl_multiple'), { chosen: 0.98, called: 0.4 }),
    ...publicToolRows('BFCL live_multiple', readPublicCases('bfcl_live_multiple_first450'), {
      chosen: 0.9,
      called: 0.45,
    }),
    ...publicToolRows('BFCL live_irrelevance', irrelevant, { declined: 0.8 }),
  ];
}

/** The part that may be learned from and the part whose misses nobody looks at. */
function publicToolRows(name: string, cases: readonly ToolCase[], limits: ToolLimits): Row[] {
  const parts: Part[] = ['learn', 'held-out'];
  return parts.flatMap((part) => toolRows(`${name}, ${part}`, partOf(cases, part), limits, part === 'learn'));
}

function toolRows(name: string, cases: readonly ToolCase[], limits: ToolLimits, isOpen = true): Row[] {
  const score = scoreToolCalls(cases);
  const foreign = score.misses.filter(({ text }) => isForeign(text)).length;
  if (foreign > 0) notes.push(`${name}: ${foreign} of the ${score.misses.length} missed calls are not in English`);
  if (showMisses && isOpen) console.table(score.misses);
  const rows: [string, number, number | undefined][] = [
    ['tool right', score.chosen, limits.chosen],
    ['whole call right', score.called, limits.called],
    ['declined', score.declined, limits.declined],
  ];
  return rows.flatMap(([what, measured, limit]) =>
    limit === undefined
      ? []
      : [{ what: `${what}, ${score.count} of ${name}`, measured, limit, kind: 'share at least' }],
  );
}

/** Names each goal that is missed, with its distance, and the kinds of rows behind it. */
function printMissed(all: readonly Row[]): void {
  const missed = all.filter((row) => !isMet(row));
  console.log(`\n${missed.length} of ${all.length} goals are missed.`);
  for (const { what, measured, limit, kind, unit = '' } of missed) {
    const distance =
      kind === 'at most'
        ? `${+(measured - limit).toFixed(2)} ${unit}`
        : `${(100 * Math.abs(measured - limit)).toFixed(1)} points`;
    console.log(`- ${what}: by ${distance.trim()}`);
  }
  for (const note of notes) console.log(`- ${note}`);
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
