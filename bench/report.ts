import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import type { Row } from './compare.ts';
import { drawRatios } from './draw-ratios.ts';
import type { Finding } from './under-load.ts';

const DOCS = join(import.meta.dirname, '..', 'docs');
const PAGE = join(DOCS, 'performance.md');
const PICTURE = join(DOCS, 'images', 'performance.svg');
const BEGIN = '<!-- bench: begin -->';
const END = '<!-- bench: end -->';

export interface Report {
  names: readonly string[];
  rows: readonly Row[];
  findings: readonly Finding[];
}

/** Replaces the measured part of docs/performance.md, and its picture. */
export function writeReport({ names, rows, findings }: Report): void {
  const page = readFileSync(PAGE, 'utf8');
  const [before, rest = ''] = page.split(BEGIN);
  const after = rest.split(END)[1] ?? '';
  const about = `Node ${process.versions.node}, ${cpus().length} cores, ${new Date().toISOString().slice(0, 10)}.`;
  const notes = findings.map(({ text, isMet }) => `- ${text}${isMet ? '' : ' (missed)'}`);
  const table = toTable(names, rows);
  writeFileSync(PAGE, [before, BEGIN, '\n', [about, '', ...table, '', ...notes].join('\n'), '\n', END, after].join(''));
  writeFileSync(PICTURE, drawRatios(names, rows));
}

/** The floor's own values, and ratios to them. */
function toTable(names: readonly string[], rows: readonly Row[]): string[] {
  const lines = rows.map(({ what, unit, values }) => {
    const floor = values.get('floor') ?? Number.NaN;
    const cells = names.slice(1).map((name) => {
      const value = values.get(name);
      return value === undefined ? '–' : (value / floor).toFixed(1);
    });
    return `| ${what} | ${short(floor)} ${unit} | ${cells.join(' | ')} |`;
  });
  return [`| × floor | ${names.join(' | ')} |`, `|---|${names.map(() => '--:').join('|')}|`, ...lines];
}

function short(value: number): string {
  return value >= 10 ? value.toFixed(0) : value.toPrecision(2);
}
