import { stem } from '../../../language/words.ts';
import type { ArgumentProfile } from './argument-profile.ts';
import { SURE } from './candidate.ts';

const LINKS =
  'is|are|was|as|of|to|be|will|should|must|named|called|titled|number|no|name|id|ids|uuid|address|like|at|the|an?|my|our|its|it|value|equals?|here|use|using|following|code|by|least|most|above|over|below|under|than|more|less|minimum|maximum|around|about|exactly|up|or|higher';
const BETWEEN = String.raw`(?:['’]s)?[\s:=#(-]*(?:\b(?:${LINKS})\b['’]?s?[\s:=#(-]*){0,4}["'\`]?$`;
const BEHIND = String.raw`^["'\`)]*\s*(?:(?:as|is|for|being)\s+)?(?:(?:the|an?|my|your|its|their|our)\s+)?`;
const REACH = 50;

/** Words of an argument that the text has. Their patterns are costly and made only where one of them is near a value. */
interface Label {
  roots: readonly string[];
  score: number;
  before(): RegExp;
  /** Absent for a link such as "to": it belongs to the words after it. */
  after?: () => RegExp;
}

export type Labels = readonly Label[];

/** Patterns for the words that may be next to an argument's value. Words that the text lacks are left out. */
export function labelsOf(profile: ArgumentProfile, text: string): Labels {
  const low = text.toLowerCase();
  const said = (words: readonly string[]) => words.filter((word) => low.includes(rootOf(word)));
  const isWhole = profile.words.every((word) => low.includes(word));
  const groups: [string, number, readonly string[]][] = isWhole
    ? [[`${profile.words.map(escapePattern).join('[ _-]?')}s?\\b`, SURE.named, profile.words]]
    : [];
  const labels = said(profile.labels);
  if (labels.length > 0) groups.push([labels.map(toPattern).join('|'), SURE.named - 0.12, labels.map(rootOf)]);
  if (profile.kind === 'id' && profile.words.includes('id') && low.includes('id'))
    groups.push([String.raw`ids?\b`, SURE.named - 0.15, ['id']]);
  if (profile.kind === 'id' && profile.words.includes('number') && /\b(?:number|no)\b/.test(low))
    groups.push([String.raw`(?:number|no)\b\.?`, SURE.described, ['number', 'no']]);
  // "two tickets" are no ticket with the id 2.
  const isLink =
    /^(?:to|from|by|in|on|at|for|with|of|as)$/.test(profile.words.join(' ')) ||
    (profile.kind === 'number' && profile.words.includes('id'));
  return groups.map(([words, score, roots]) => ({
    roots,
    score,
    before: once(() => new RegExp(String.raw`(?<![\w-])(?:${words})${BETWEEN}`, 'i')),
    ...(!isLink && { after: once(() => new RegExp(String.raw`${BEHIND}(?:${words})`, 'i')) }),
  }));
}

function once(make: () => RegExp): () => RegExp {
  let made: RegExp | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** A value after its label is surer than one before it. */
const BEFORE_LABEL = 0.04;

/** The score of a value next to one of the argument's words; 0 if it does not. */
export function nearLabel(labels: Labels, text: string, { at, length }: { at: number; length: number }): number {
  const before = text.slice(Math.max(0, at - REACH), at);
  const after = text.slice(at + length, at + length + REACH);
  const [left, right] = [before.toLowerCase(), after.toLowerCase()];
  const has = (words: string, roots: readonly string[]) => roots.some((root) => words.includes(root));
  return labels.reduce((best, label) => {
    if (has(left, label.roots) && label.before().test(before)) return Math.max(best, label.score);
    const isAfter = label.after && has(right, label.roots) && label.after().test(after);
    return isAfter ? Math.max(best, label.score - BEFORE_LABEL) : best;
  }, 0);
}

function rootOf(word: string): string {
  return word.length > 4 ? stem(word) : word;
}

function toPattern(word: string): string {
  return word.length > 4 ? String.raw`${escapePattern(stem(word))}\w{0,3}\b` : String.raw`${escapePattern(word)}s?\b`;
}

export function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
