import * as z from 'zod';
import { isObject, type Json } from '../../schema/json.ts';

/** A rule that replaces personal data. Equal values get equal stand-ins, so that a case stays consistent. */
interface Rule {
  name: string;
  pattern: RegExp;
  /** False leaves the match as it is. */
  isMatch?(text: string): boolean;
  standIn(number: number): string;
}

const MIN_PHONE_DIGITS = 7;

/** The rules that always hold. The order counts: a card number must not be taken for a phone number. */
const RULES: readonly Rule[] = [
  {
    name: 'key',
    pattern:
      /\b(?:sk|pk|rk|ghp|gho|ghs|glpat|xox[abprs])[-_][\w-]{16,}|\bAKIA[A-Z0-9]{16}\b|\bAIza[\w-]{30,}|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----|(?<=\b(?:password|passwort|secret|token|api[ _-]?key)\s*(?:[:=]|is)\s*)[^\s,;]{6,}/gi,
    standIn: (number) => `KEY-${number}`,
  },
  {
    name: 'e-mail',
    pattern: /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu,
    standIn: (number) => `person${number}@example.com`,
  },
  {
    name: 'card',
    pattern: /(?<![\d-])\d(?:[ -]?\d){12,18}(?![\d-])/g,
    isMatch: hasCheckDigit,
    standIn: (number) => `4000 0000 0000 ${String(number).padStart(4, '0')}`,
  },
  {
    name: 'account',
    pattern: /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b/g,
    standIn: (number) => `XX00 0000 0000 ${String(number).padStart(4, '0')}`,
  },
  {
    name: 'phone',
    pattern:
      /(?<![\w.,:-]|\d )(?:\+|00)\d[\d ()/.-]{6,18}\d|(?<![\w.,:-]|\d )\(?0?\d{2,4}\)?[ /-]\d{3,4}[ -]\d{3,5}(?![\w-]| \d)|(?<![\w.,:-]|\d )\(?0\d{1,4}\)?[ /-]?\d{4,9}(?:[ -]\d{2,6}){0,3}(?![\w-]| \d)/g,
    isMatch: (text) => text.replace(/\D/g, '').length >= MIN_PHONE_DIGITS && !/^\d{4}-\d{2}-\d{2}/.test(text),
    standIn: (number) => `+1 555 0${100 + number}`,
  },
];

/** A file of an author's own rules. */
export const RedactionFile = z.strictObject({
  names: z.array(z.string().min(2)).default([]),
  patterns: z
    .array(z.strictObject({ name: z.string().min(1), regex: z.string().min(1), replace: z.string().optional() }))
    .default([]),
});
export type RedactionFile = z.infer<typeof RedactionFile>;

export interface Redactor {
  text(text: string): string;
  json(value: Json): Json;
  /** How many different values each rule replaced. */
  counts(): ReadonlyMap<string, number>;
}

/** Replaces personal data in the texts of one conversation. The author's rules are applied first. */
export function createRedactor({ names, patterns }: RedactionFile): Redactor {
  const own: Rule[] = patterns.map(({ name, regex, replace }) => ({
    name,
    pattern: new RegExp(regex, 'gu'),
    standIn: (number) => replace ?? `${name} ${number}`,
  }));
  const named: Rule[] = names.map((name) => ({
    name: 'name',
    pattern: new RegExp(`(?<![\\p{L}\\p{N}])${escapeText(name)}(?![\\p{L}\\p{N}])`, 'giu'),
    standIn: (number) => `Person ${number}`,
  }));
  const rules = [...own, ...named, ...RULES];
  const known = new Map<string, Map<string, string>>();
  const standIns = new Set<string>();
  const replace = (rule: Rule, match: string): string => {
    if (standIns.has(match) || rule.isMatch?.(match) === false) return match;
    const values = known.get(rule.name) ?? new Map<string, string>();
    known.set(rule.name, values);
    const key = match.toLowerCase();
    const found = values.get(key) ?? rule.standIn(values.size + 1);
    values.set(key, found);
    standIns.add(found);
    return found;
  };
  const text = (given: string): string =>
    rules.reduce((clean, rule) => clean.replace(rule.pattern, (match: string) => replace(rule, match)), given);
  const json = (value: Json): Json => {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.map(json);
    return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, json(one)])) : value;
  };
  return { text, json, counts: () => new Map([...known].map(([name, values]) => [name, values.size])) };
}

function escapeText(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+');
}

/** The check digit of card numbers (ISO/IEC 7812, Luhn). */
function hasCheckDigit(text: string): boolean {
  const digits = [...text.replace(/\D/g, '')].reverse().map(Number);
  const sum = digits.reduce((total, digit, index) => {
    const value = index % 2 === 1 ? digit * 2 : digit;
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
