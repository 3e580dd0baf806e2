import * as z from 'zod';
import type { RedactorOptions } from '../../redaction/finder.ts';
import { CALLED_SECRET, type Pattern, PERSONAL, TOKENS } from '../../redaction/patterns.ts';
import { createRedactor as createWith, type Redactor } from '../../redaction/redactor.ts';

/** A file of an author's own rules. */
export const RedactionFile = z.strictObject({
  names: z.array(z.string().min(2)).default([]),
  patterns: z
    .array(z.strictObject({ name: z.string().min(1), regex: z.string().min(1), replace: z.string().optional() }))
    .default([]),
});
export type RedactionFile = z.infer<typeof RedactionFile>;

const MIN_SECRET_CHARS = 6;

/** Stand-ins that look like the data, so that a case stays readable and consistent. */
const STAND_INS: Record<string, (number: number) => string> = {
  key: (number) => `KEY-${number}`,
  'e-mail': (number) => `person${number}@example.com`,
  card: (number) => `4000 0000 0000 ${String(number).padStart(4, '0')}`,
  account: (number) => `XX00 0000 0000 ${String(number).padStart(4, '0')}`,
  phone: (number) => `+1 555 0${100 + number}`,
  name: (number) => `Person ${number}`,
};

/** Replaces personal data and secrets in the texts of one conversation. The author's patterns come first; names come last, so that an address with a name is replaced whole. */
export function createRedactor({ names, patterns }: RedactionFile, secrets: RedactorOptions['secrets'] = []): Redactor {
  const own: Pattern[] = patterns.map(({ name, regex }) => ({ name, pattern: new RegExp(regex, 'gu') }));
  const fixed = new Map(patterns.map(({ name, replace }) => [name, replace]));
  const named: Pattern[] = names.map((name) => ({
    name: 'name',
    pattern: new RegExp(`(?<![\\p{L}\\p{N}])${escapeText(name)}(?![\\p{L}\\p{N}])`, 'giu'),
  }));
  return createWith({
    secrets,
    minChars: MIN_SECRET_CHARS,
    patterns: [...own, ...TOKENS, ...CALLED_SECRET, ...PERSONAL, ...named],
    hidesNamedKeys: true,
    standIn: (name, number) => fixed.get(name) ?? STAND_INS[name]?.(number) ?? `${name} ${number}`,
  });
}

function escapeText(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '[\\s_.-]+');
}
