import type { JsonObject } from '../schema/json.ts';
import type { MessageFacts } from './message-facts.ts';
import { argumentsOf, enumOf, type ToolArgument } from './tool-document.ts';

/** 0 when every required argument could be filled from the message, down to -2 when several could not. */
export function argumentFit(facts: MessageFacts, schema: JsonObject): number {
  const required = argumentsOf(schema).filter((argument) => argument.isRequired);
  const needs = countNeeds(required, facts);
  const missing =
    Math.max(0, needs.numbers - facts.numbers) +
    needs.options * 0.5 +
    (facts.hasTime ? 0 : needs.times * 0.7) +
    Math.max(0, needs.texts - facts.names - 1) * 0.5;
  const isWhole = needs.wholeNumbers > 0 && facts.wholeNumbers >= needs.wholeNumbers;
  return -Math.min(2, missing) + (isWhole ? 0.3 : 0);
}

function countNeeds(required: readonly ToolArgument[], { text }: MessageFacts) {
  const needs = { numbers: 0, wholeNumbers: 0, options: 0, times: 0, texts: 0 };
  for (const { name, schema } of required) {
    const type = String(schema.type);
    if (/int|float|number/.test(type)) needs.numbers += 1;
    if (/int/.test(type)) needs.wholeNumbers += 1;
    if (/int|float|number/.test(type)) continue;
    if (schema.enum !== undefined) needs.options += mentionsOption(text, schema) ? 0 : 1;
    else if (type !== 'string') continue;
    else if (/\b(?:date|time)\b/i.test(`${name} ${schema.description ?? ''}`)) needs.times += 1;
    else needs.texts += 1;
  }
  return needs;
}

function mentionsOption(text: string, schema: JsonObject): boolean {
  const lower = text.toLowerCase();
  return enumOf(schema).some((option) => lower.includes(String(option).toLowerCase()));
}
