import { escapePattern } from './near-label.ts';

const MAX_RUNS = 4;

/** A pattern for values that are written like an example with digits: "F-1234" for "F-88", "B12" for "A04". */
export function shapePattern(example: string): RegExp | undefined {
  if (!/\d/.test(example) || /[:@]|^\d[\d,-]*(?:\.\d+)?$|\d{4}-\d\d/.test(example)) return undefined;
  const runs = example.match(/[A-Z]+|[a-z]+|\d+|[^A-Za-z\d]+/g) ?? [];
  const isMixed = runs.length > MAX_RUNS && /^[A-Z\d]+$/.test(example);
  const body = isMixed
    ? String.raw`(?=[A-Z]*\d)(?=\d*[A-Z])[A-Z\d]{${example.length}}`
    : runs.map((run) => patternOf(run)).join('');
  return new RegExp(String.raw`(?<![\w-])${body}(?![\w-])`, isMixed ? 'g' : 'gi');
}

function patternOf(run: string): string {
  if (/^\d/.test(run)) return String.raw`\d{1,${run.length + 2}}`;
  if (/^[A-Za-z]/.test(run)) return `[a-z]{1,${run.length + 1}}`;
  return run.trim() === '' ? String.raw`\s?` : escapePattern(run);
}
