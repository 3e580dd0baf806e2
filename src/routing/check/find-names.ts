import type { Part } from './answer-parts.ts';
import { daysOfLabel, findPeriods, isOf } from './find-periods.ts';
import type { ResultTable } from './result-tables.ts';

/** A name from the results, mentioned in an answer. */
export interface NameMention extends Part {
  name: string;
}

const MAX_NAME_CHARS = 80;
const MAX_NAMES = 5_000;

/** True for text cells that can name a row: short, and not a plain number. Age groups and months count as names. */
export function isName(value: unknown): value is string {
  if (typeof value !== 'string' || value.length < 2 || value.length > MAX_NAME_CHARS) return false;
  return Number.isNaN(Number(value.replace(/[,%$€£\s]/g, '')));
}

/** Finds every name of the results in the text. If two overlap, the longer one wins. */
export function findNames(text: string, tables: readonly ResultTable[]): NameMention[] {
  const cells = tables.flatMap(({ rows }) => rows.flatMap((row) => Object.values(row).filter(isName)));
  const names = [...new Set(cells)].slice(0, MAX_NAMES).sort((a, b) => b.length - a.length);
  const found: NameMention[] = [];
  for (const name of names) {
    for (const match of text.matchAll(patternOf(name))) {
      const mention = { name, start: match.index, end: match.index + match[0].length };
      if (!found.some((other) => mention.start < other.end && other.start < mention.end)) found.push(mention);
    }
  }
  return [...found, ...findLabels(text, names, found)].sort((a, b) => a.start - b.start);
}

/** Labels of months, quarters and days as people write them: October 2025 for 2025-10. */
function findLabels(text: string, names: readonly string[], found: readonly NameMention[]): NameMention[] {
  const labels = names.flatMap((name) => {
    const days = daysOfLabel(name);
    return days ? [{ name, days }] : [];
  });
  if (labels.length === 0) return [];
  return findPeriods(text)
    .flatMap((mention) => mention.parts ?? [mention])
    .flatMap((mention) => {
      const same = labels.filter(({ days }) => !mention.days && isOf(mention, days));
      const isTaken = found.some(({ start, end }) => mention.start < end && start < mention.end);
      const [only] = same;
      return only && same.length === 1 && !isTaken ? [{ name: only.name, start: mention.start, end: mention.end }] : [];
    });
}

/** Single words such as "New" must match in case; longer names match in any case. */
function patternOf(name: string): RegExp {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, String.raw`\s+`);
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${escaped}(?![\p{L}\p{N}])`, /\s/.test(name) ? 'giu' : 'gu');
}
