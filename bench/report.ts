import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import type { Row } from './compare.ts';
import type { Contestant } from './contestant.ts';
import type { Finding } from './under-load.ts';

const DOCS = join(import.meta.dirname, '..', 'docs');
const PAGE = join(DOCS, 'performance.md');
const PICTURE = join(DOCS, 'images', 'performance.svg');
const BEGIN = '<!-- bench: begin -->';
const END = '<!-- bench: end -->';

export interface Report {
  all: readonly Contestant[];
  rows: readonly Row[];
  findings: readonly Finding[];
}

/** Replaces the measured part of docs/performance.md, and its picture. */
export function writeReport({ all, rows, findings }: Report): void {
  const page = readFileSync(PAGE, 'utf8');
  const [before, rest = ''] = page.split(BEGIN);
  const after = rest.split(END)[1] ?? '';
  const about = `Node ${process.versions.node}, ${cpus().length} cores, ${new Date().toISOString().slice(0, 10)}.`;
  const notes = findings.map(({ text, isMet }) => `- ${text}${isMet ? '' : ' (missed)'}`);
  const named = (kinds: readonly Contestant['kind'][]) =>
    all.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name);
  const names = named(['floor', 'ours', 'without', 'peer']);
  const kept = ['With stores on:', '', ...toTable(named(['floor-kept', 'ours', 'peer-kept']), rows)];
  const lines = [about, '', ...toTable(names, rows), '', ...kept, '', ...notes];
  writeFileSync(PAGE, [before, BEGIN, '\n', lines.join('\n'), '\n', END, after].join(''));
  writeFileSync(PICTURE, drawRatios(names, rows));
}

/** The own values of the first, which is a floor, and ratios to them. */
function toTable(names: readonly string[], rows: readonly Row[]): string[] {
  const lines = rows.map(({ what, unit, values }) => {
    const floor = values.get(names[0] ?? '') ?? Number.NaN;
    const cells = names.slice(1).map((name) => {
      const value = values.get(name);
      return value === undefined ? '–' : (value / floor).toFixed(1);
    });
    return `| ${what} | ${short(floor)} ${unit} | ${cells.join(' | ')} |`;
  });
  return [`| × ${names[0]} | ${names.join(' | ')} |`, `|---|${names.map(() => '--:').join('|')}|`, ...lines];
}

function short(value: number): string {
  return value >= 10 ? value.toFixed(0) : value.toPrecision(2);
}

const LINE = 26;
const LEFT = 330;
const WIDTH = 560;
const TOP = 70;
/** Ratios from the floor itself to forty times its value, on a logarithmic scale. */
const MOST = 40;
const TICKS = [1, 2, 4, 8, 16, 32];
const OURS = ['holodeck ag-ui', 'holodeck rest'];

/** A picture of all ratios to the floor: a row per measurement, a mark per contestant; ours are filled. */
export function drawRatios(names: readonly string[], rows: readonly Row[]): string {
  const height = TOP + rows.length * LINE + 20;
  const others = names.filter((name) => name !== 'floor' && !OURS.includes(name));
  const parts = [
    ...TICKS.flatMap((tick) => [
      `<line x1="${place(tick)}" y1="${TOP - 12}" x2="${place(tick)}" y2="${height - 16}" stroke="#ddd"/>`,
      text(place(tick), TOP - 18, `× ${tick}`, 'middle'),
    ]),
    ...rows.flatMap((row, index) => drawRow(row, TOP + index * LINE + LINE / 2, others)),
    text(LEFT, 22, 'ag-ui and rest: filled. Other runtimes and "without a store": letters.', 'start'),
    text(LEFT, 40, others.map((name) => `${letter(others, name)} ${name}`).join('   '), 'start'),
  ];
  const size = `width="${LEFT + WIDTH + 20}" height="${height}"`;
  const style = 'font-family="system-ui, sans-serif" font-size="12" fill="#333"';
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${style}>\n<title>Ratios to the floor</title>\n<rect ${size} fill="#fff"/>\n${parts.join('\n')}\n</svg>\n`;
}

function drawRow({ what, values }: Row, y: number, others: readonly string[]): string[] {
  const floor = values.get('floor') ?? Number.NaN;
  const ratio = (name: string) => (values.get(name) ?? Number.NaN) / floor;
  const known = (name: string) => Number.isFinite(ratio(name));
  return [
    text(LEFT - 12, y + 4, what, 'end'),
    ...others.filter(known).map((name) => text(place(ratio(name)), y + 4, letter(others, name), 'middle')),
    ...OURS.filter(known).map((name, index) => {
      const at = place(ratio(name));
      return index === 0
        ? `<circle cx="${at}" cy="${y}" r="5" fill="#2459c9"/>`
        : `<rect x="${at - 5}" y="${y - 5}" width="10" height="10" fill="#0f8a5f"/>`;
    }),
  ];
}

function letter(others: readonly string[], name: string): string {
  return String.fromCharCode(97 + others.indexOf(name));
}

function place(ratio: number): number {
  const share = Math.log(Math.min(Math.max(ratio, 0.7), MOST) / 0.7) / Math.log(MOST / 0.7);
  return Math.round(LEFT + share * WIDTH);
}

function text(x: number, y: number, words: string, anchor: string): string {
  const safe = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  return `<text x="${x}" y="${y}" text-anchor="${anchor}">${safe}</text>`;
}
