import type { JsonObject } from '../../schema/json.ts';
import type { MessageSignals } from './message-signals.ts';
import { argumentsOf, enumOf, type ToolArgument } from './tool-document.ts';

/** 0 if every required argument can be filled from the message, down to -2 if several cannot. */
export function argumentFit(signals: MessageSignals, schema: JsonObject): number {
  const required = argumentsOf(schema).filter((argument) => argument.isRequired);
  const needs = countNeeds(required, signals);
  const missing =
    Math.max(0, needs.numbers - signals.numbers) +
    needs.options * 0.5 +
    (signals.hasTime ? 0 : needs.times * 0.7) +
    Math.max(0, needs.texts - signals.names - 1) * 0.5;
  const isWhole = needs.wholeNumbers > 0 && signals.wholeNumbers >= needs.wholeNumbers;
  return -Math.min(2, missing) + (isWhole ? 0.3 : 0);
}

function countNeeds(required: readonly ToolArgument[], { text }: MessageSignals) {
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
