import type { ToolCall } from '../../schema/conversation/tool-call.ts';
import type { Json, JsonObject } from '../../schema/json.ts';
import { sanitizeText } from '../../tools/sanitize.ts';

const MAX_VALUE_CHARS = 60;

/** The arguments that matter to a person: no ids, short texts, formatted dates. */
export function shortArguments(args: JsonObject): string {
  return Object.entries(args)
    .filter(([name, value]) => !/(^|_)id$/.test(name) && value !== null && value !== '')
    .map(([name, value]) => showArgument(sanitizeText(name), value))
    .join(', ');
}

function showArgument(name: string, value: Json): string {
  if (typeof value === 'string' && isDate(value)) return `${name.replace(/_(date|at)$/, '')} ${showDate(value)}`;
  const text = typeof value === 'string' ? JSON.stringify(sanitizeText(value)) : sanitizeText(JSON.stringify(value));
  return `${name} ${text.length > MAX_VALUE_CHARS ? `${text.slice(0, MAX_VALUE_CHARS - 1)}…` : text}`;
}

function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}(T[\d:.+-]+Z?)?$/.test(text) && !Number.isNaN(Date.parse(text));
}

function showDate(text: string): string {
  const isWholeDay = text.length === 10;
  const options = { weekday: 'short', day: 'numeric', month: 'short' } as const;
  const time = isWholeDay ? { timeZone: 'UTC' } : ({ hour: '2-digit', minute: '2-digit' } as const);
  return new Intl.DateTimeFormat('en-GB', { ...options, ...time }).format(new Date(text)).replaceAll(',', '');
}

/** The name of the thing that a call returned, for calls whose arguments show nothing. */
export function namedResult({ result }: ToolCall): string {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return '';
  const name = result.title ?? result.name;
  return typeof name === 'string' ? sanitizeText(name).slice(0, MAX_VALUE_CHARS) : '';
}

/** The size of a call's result: rows of a table, items of a list. */
export function countResult({ result }: ToolCall): string {
  if (Array.isArray(result)) return count(result.length, 'item');
  if (typeof result !== 'object' || result === null) return '';
  return Array.isArray(result.rows) ? count(result.rows.length, 'row') : '';
}

function count(amount: number, unit: string): string {
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
}
