import type { ToolDefinition } from '../models/model.ts';
import { isObject, type Json, type JsonObject } from '../schema/json.ts';
import type { Plan } from './plan.ts';
import { describeOutcome } from './tools/describe-result.ts';

/**
 * The plan of a message that spells out a call: the exact name of a tool, then its arguments as `key=value` pairs or as JSON.
 * Nothing else is meant by it, so that no word is guessed at or left out: a fault is named.
 */
export function planSpelledCall(text: string, tools: readonly ToolDefinition[]): Plan | undefined {
  const [, name, rest = ''] = /^\s*([\w-]+)\s+(\{.*|[\w-]+=.*)$/s.exec(text) ?? [];
  const tool = tools.find((one) => one.name === name);
  const properties = tool?.inputSchema.properties;
  if (!tool || !isObject(properties)) return undefined;
  const values = rest.startsWith('{') ? readJson(rest) : readPairs(rest, properties);
  const unknown = isObject(values) ? Object.keys(values).find((key) => !Object.hasOwn(properties, key)) : undefined;
  if (isObject(values) && unknown === undefined) return call(tool.name, values);
  if (unknown !== undefined)
    return call(tool.name, `${name} has no value ${unknown}. It has: ${Object.keys(properties).join(', ')}.`);
  return call(tool.name, `I could not read the values of ${name}. Write ${name} key=value, several words in quotes.`);
}

/** Values that are a text are the fault that is named instead. */
function* call(name: string, values: JsonObject | string): Plan {
  if (typeof values === 'string')
    return { text: values, intents: [{ name: 'unknown', confidence: 1, parameters: {} }] };
  const [outcome] = yield [{ name, arguments: values }];
  const text = outcome ? describeOutcome(outcome) : "I couldn't finish this.";
  return { text, intents: [{ name, confidence: 1, parameters: values }] };
}

const PAIRS = /^(?:[\w-]+=(?:"[^"]*"|'[^']*'|[^\s,"']+)(?:,\s*|\s+|$))+$/;
const PAIR = /([\w-]+)=("[^"]*"|'[^']*'|[^\s,"']+)/g;

function readPairs(text: string, properties: JsonObject): JsonObject | undefined {
  if (!PAIRS.test(text.trim())) return undefined;
  return Object.fromEntries(
    [...text.matchAll(PAIR)].map(([, key = '', said = '']) => {
      const schema = properties[key];
      const isText = isObject(schema) && schema.type === 'string';
      const plain = /^["']/.test(said) ? said.slice(1, -1) : said;
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
