import type { Token } from 'marked';
import type { Citation, NumberCheck } from '../../src/schema/conversation/turn.ts';
import type { Block } from './read-blocks.ts';

/** `[p1]` in an answer. */
interface CitationMark {
  kind: 'citation';
  text: string;
  start: number;
  end: number;
  citation: Citation;
}

/** A piece of an answer that is shown as a button. */
export type Mark = NumberCheck | CitationMark;

export type Span = string | { check: Mark; text: string };

const CITED = /\[(p\d+)\]/g;

/** The places at which an answer names its passages, joined with its figures in the order of the text. */
export function joinMarks(
  text: string,
  checks: readonly NumberCheck[],
  citations: readonly Citation[],
): readonly Mark[] {
  if (citations.length === 0) return checks;
  const cited = [...text.matchAll(CITED)].flatMap(({ 0: mark, 1: id, index: start }): CitationMark[] => {
    const citation = citations.find((one) => one.id === id);
    return citation ? [{ kind: 'citation', text: mark, start, end: start + mark.length, citation }] : [];
  });
  return [...checks, ...cited].sort((a, b) => a.start - b.start);
}

/** Splits a text that begins at `start` of the answer into plain pieces and figures. */
export function splitFigures(text: string, start: number, checks: readonly Mark[]): Span[] {
  const spans: Span[] = [];
  let place = 0;
  for (const check of checks) {
    const from = check.start - start;
    const to = check.end - start;
    if (from < place || to > text.length || text.slice(from, to) !== check.text) continue;
    if (from > place) spans.push(text.slice(place, from));
    spans.push({ check, text: check.text });
    place = to;
  }
  if (place < text.length) spans.push(text.slice(place));
  return spans;
}

export function checksWithin(checks: readonly Mark[], start: number, end: number): readonly Mark[] {
  return checks.filter((check) => check.start >= start && check.end <= end);
}

/** The place in the answer of every text inside a block: texts come in the same order in the block and in its source. */
export function placeTexts({ token, start }: Block): ReadonlyMap<Token, number> {
  const places = new Map<Token, number>();
  let place = 0;
  const visit = (leaf: Token) => {
    const found = token.raw.indexOf(leaf.raw, place);
    if (found < 0) return;
    const isCode = leaf.type === 'codespan' && 'text' in leaf;
    places.set(leaf, start + found + (isCode ? leaf.raw.indexOf(String(leaf.text)) : 0));
    place = found + leaf.raw.length;
  };
  walk([token], visit);
  return places;
}

function walk(tokens: readonly Token[], visit: (leaf: Token) => void): void {
  for (const token of tokens) {
    const inner = childrenOf(token);
    if (inner.length > 0) walk(inner, visit);
    else if ('text' in token || token.type === 'space') visit(token);
  }
}

function childrenOf(token: Token): readonly Token[] {
  if (token.type === 'table') {
    // marked's union has an open member, which hides the shape of tables.
    const { header, rows } = token as { header: { tokens: Token[] }[]; rows: { tokens: Token[] }[][] };
    return [header, ...rows].flat().flatMap((cell) => cell.tokens);
  }
  if (token.type === 'list') return (token as { items: Token[] }).items;
  return 'tokens' in token ? (token.tokens ?? []) : [];
}
