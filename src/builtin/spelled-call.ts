import type { ToolDefinition } from '../models/model.ts';
import { isObject, type Json, type JsonObject } from '../schema/json.ts';
import type { Plan, PlannedCall } from './plan.ts';
import { describeOutcome } from './tools/describe-result.ts';

/**
 * The call that a message spells out: the exact name of a tool, then its arguments as `key=value` pairs or as JSON. Such a
 * message means nothing else, so no word of it is guessed at.
 */
export function readSpelledCall(text: string, tools: readonly ToolDefinition[]): PlannedCall | undefined {
  const [, name, rest = ''] = /^\s*([\w-]+)\s+(\S.*)$/s.exec(text) ?? [];
  const tool = tools.find((one) => one.name === name);
  const properties = tool?.inputSchema.properties;
  if (!tool || !isObject(properties)) return undefined;
  const values = rest.startsWith('{') ? readJson(rest) : readPairs(rest, properties);
  if (!isObject(values) || !Object.keys(values).every((key) => Object.hasOwn(properties, key))) return undefined;
  return { name: tool.name, arguments: values };
}

export function* planSpelledCall(call: PlannedCall): Plan {
  const [outcome] = yield [call];
  const text = outcome ? describeOutcome(outcome) : "I couldn't finish this.";
  return { text, intents: [{ name: call.name, confidence: 1, parameters: call.arguments }] };
}

const PAIR = /\s*,?\s*([\w-]+)=("[^"]*"|'[^']*'|.*?)(?=[\s,]+[\w-]+=|\s*$)/gsy;

function readPairs(text: string, properties: JsonObject): JsonObject | undefined {
  if (!/^[\w-]+=/.test(text)) return undefined;
  return Object.fromEntries(
    [...text.trim().matchAll(PAIR)].map(([, key = '', said = '']) => {
      const schema = properties[key];
      const isText = isObject(schema) && schema.type === 'string';
      const plain = /^(["']).*\1$/s.test(said) ? said.slice(1, -1) : said;
      return [key, isText ? plain : (readJson(said) ?? plain)];
    }),
  );
}

function readJson(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
