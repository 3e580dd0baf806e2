import type { ToolCommand } from './answer-tool.ts';
import { argumentsOf, enumOf } from './tool-document.ts';

const COUNT = '(?:\\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve)';
const ITEM = String.raw`${COUNT}\s+(?:x\s+)?\p{L}[\p{L}'-]*(?:\s(?!(?:and|for|to|in|on|at|from|with|please|by)\b)[\p{L}'-]+){0,3}`;
const ROW = new RegExp(String.raw`(?<![\w-])${ITEM}(?:,\s*${ITEM})*,?\s+and\s+${ITEM}`, 'iu');

/** A request for several counted things as one request for each: "a tea and two coffees for room 4". */
export function splitCounted(text: string): string[] {
  const match = ROW.exec(text);
  if (!match) return [];
  const parts = match[0].split(/,\s*(?:and\s+)?|\s+and\s+/);
  return parts.map((part) => text.slice(0, match.index) + part + text.slice(match.index + match[0].length));
}

/**
 * The calls for the parts of a request, where one call cannot take them all: the tool is the same, each part is
 * complete, and they differ in a number or an option. A title or a list takes them all.
 */
export function joinCalls(whole: ToolCommand, parts: readonly ToolCommand[]): ToolCommand[] {
  const { tool } = whole.choice.document;
  const counts = Object.values(whole.filled.arguments).filter(
    (value) => typeof value === 'number' || Array.isArray(value),
  );
  const isSame = parts.every(
    ({ choice, filled }) => choice.document.tool.name === tool.name && filled.missing.length === 0,
  );
  const telling = argumentsOf(tool.inputSchema).filter(
    ({ schema }) => /int|number/.test(String(schema.type)) || enumOf(schema).length > 0,
  );
  const differs = telling.some(
    ({ name }) => new Set(parts.map(({ filled }) => JSON.stringify(filled.arguments[name]))).size > 1,
  );
  return parts.length > 1 && counts.length < parts.length && isSame && differs ? [...parts] : [whole];
}
