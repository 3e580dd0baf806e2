import { isObject, type Json, type JsonObject } from '../../schema/json.ts';
import type { Failure, Outcome } from '../conversation.ts';

const MAX_ITEMS = 20;
const MAX_CHARS = 4_000;

/** Describes a tool's outcome, using only content from the tool. */
export function describeOutcome(outcome: Outcome): string {
  if ('error' in outcome) return describeFailure(outcome);
  return cut(describeResult(outcome.result));
}

export function describeFailure({ error, isUnknown }: Failure): string {
  return isUnknown ? error.message : `That didn't work: ${describeProblems(error) ?? error.message}`;
}

/** Names the invalid arguments; the tool's name means nothing to users. */
function describeProblems({ error_type, details }: Failure['error']): string | undefined {
  if (error_type !== 'ValidationError' || !Array.isArray(details) || details.length === 0) return undefined;
  const parts = details.map((one) => isObject(one) && [toLabel(String(one.path ?? '')), String(one.message ?? '')]);
  if (parts.some((part) => !part || part[1] === '')) return undefined;
  return `${parts.map((part) => (part || []).join(' ').trim()).join('; ')}.`;
}

function describeResult(result: Json): string {
  if (result === null || result === '') return 'Done.';
  if (Array.isArray(result)) return describeItems(result);
  if (!isObject(result)) return String(result);
  if (typeof result.answer === 'string' && result.answer.trim() !== '') return result.answer;
  return describeFields(result);
}

function describeItems(items: readonly Json[]): string {
  if (items.length === 0) return 'Nothing was found.';
  const lines = items.slice(0, MAX_ITEMS).map((item, index) => `${index + 1}. ${describeItem(item)}`);
  const more = items.length > MAX_ITEMS ? [`… and ${items.length - MAX_ITEMS} more.`] : [];
  return [...lines, ...more].join('\n');
}

function describeItem(item: Json): string {
  if (!isObject(item)) return typeof item === 'object' ? JSON.stringify(item) : String(item);
  const plain = Object.entries(item).filter(([name, value]) => !isHidden(name) && isPlain(value));
  const title = plain.find(([name]) => /^(?:title|name|label|subject|summary)$/i.test(name));
  const rest = plain.filter((field) => field !== title).map(([name, value]) => `${toLabel(name)} ${String(value)}`);
  const head = title ? String(title[1]) : '';
  return [head, rest.join(', ')].filter((part) => part !== '').join(': ') || JSON.stringify(item);
}

function describeFields(fields: JsonObject): string {
  const [only, ...others] = Object.entries(fields);
  if (!only) return 'Done.';
  if (others.length === 0 && Array.isArray(only[1])) return describeItems(only[1]);
  const lines = [only, ...others].map(
    ([name, value]) => `${toLabel(name)}: ${isPlain(value) ? String(value) : JSON.stringify(value)}`,
  );
  return lines.join('\n');
}

/** Ids are hidden: they are for programs. */
function isHidden(name: string): boolean {
  return /(?:^|_)(?:id|uuid)$/i.test(name);
}

function isPlain(value: Json): boolean {
  return value !== null && typeof value !== 'object';
}

/** The words of a name: `dueDate` → "due date". */
export function toLabel(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[._-]+/g, ' ')
    .toLowerCase();
}

function cut(text: string): string {
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text;
}
