import { isObject, type Json } from '../schema/json.ts';
import { createFinder, type Finder, type Found, HIDDEN, type RedactorOptions } from './finder.ts';
import { isPhoneName, isSecretName, TOKENS } from './patterns.ts';

export interface Redactor extends Pick<Finder, 'find' | 'isOpen' | 'counts' | 'used'> {
  text(text: string): string;
  /** Redacts texts, keys and numbers. */
  json<T extends Json>(value: T): T;
  /** Puts the hidden texts back where this redactor removed them. */
  restore(text: string): string;
}

/** The one redaction of the program. Redacting a text again changes nothing. */
export function createRedactor(options: RedactorOptions): Redactor {
  const finder = createFinder(options);
  const { originals, replacementOf } = finder;
  const hasPhones = options.patterns?.some(({ name }) => name === 'phone') ?? false;
  const text = (given: string): string => replaceFound(given, finder.find(given));

  const hideNamed = (value: string): string => {
    const clean = text(value);
    return clean !== value || originals.has(value) || value === HIDDEN ? clean : replacementOf('key', value);
  };
  const number = (value: number, name: string): Json => {
    const digits = String(value);
    const isPhone = hasPhones && isPhoneName(name) && /^\d{7,15}$/.test(digits) && !originals.has(digits);
    const clean = isPhone ? replacementOf('phone', digits) : text(digits);
    if (clean === digits) return value;
    // A number stays a number, so that the shape of the data stays.
    const asNumber = Number(clean.replace(/[ +-]/g, ''));
    return Number.isSafeInteger(asNumber) ? asNumber : clean;
  };
  const json = (value: Json, name = ''): Json => {
    const isNamed = options.hidesNamedKeys === true && isSecretName(name);
    if (typeof value === 'string') return isNamed && value !== '' ? hideNamed(value) : text(value);
    if (typeof value === 'number') return isNamed && !isCount(name) ? hideNamed(String(value)) : number(value, name);
    if (Array.isArray(value)) return value.map((one) => json(one, name));
    if (!isObject(value)) return value;
    return toObject(Object.entries(value).map(([key, one]) => [text(key), json(one, isNamed ? name : key)]));
  };
  return {
    ...finder,
    text,
    json: <T extends Json>(value: T) => json(value) as T, // the shape stays; only texts and numbers change
    restore: (given) => restoreText(given, originals),
  };
}

/** `max_tokens` and the like. */
function isCount(name: string): boolean {
  return /token/i.test(name);
}

function replaceFound(text: string, found: readonly Found[]): string {
  let clean = '';
  let at = 0;
  for (const { start, end, replacement } of found) {
    clean += text.slice(at, start) + replacement;
    at = end;
  }
  return clean + text.slice(at);
}

/** A text that is JSON itself is restored inside, because the hidden text may need escapes there. */
function restoreText(text: string, originals: ReadonlyMap<string, string>): string {
  const known = [...originals].filter(([placeholder]) => placeholder !== HIDDEN && text.includes(placeholder));
  if (known.length === 0) return text;
  try {
    const parsed: Json = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null) return JSON.stringify(restoreJson(parsed, originals));
  } catch {
    // The text is no JSON.
  }
  return known.reduce((whole, [placeholder, original]) => whole.replaceAll(placeholder, () => original), text);
}

function restoreJson(value: Json, originals: ReadonlyMap<string, string>): Json {
  if (typeof value === 'string') return restoreText(value, originals);
  if (Array.isArray(value)) return value.map((one) => restoreJson(one, originals));
  if (!isObject(value)) return value;
  return toObject(
    Object.entries(value).map(([key, one]) => [restoreText(key, originals), restoreJson(one, originals)]),
  );
}

/** Keys that became equal stay apart. */
function toObject(entries: readonly [string, Json][]): Json {
  const object: Record<string, Json> = {};
  for (const [key, value] of entries) {
    let name = key;
    for (let number = 2; Object.hasOwn(object, name); number++) name = `${key} (${number})`;
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return object;
}

/** Hides keys and tokens by their shape, and the values of keys that name a secret. For logs, traces and exports. */
export const keyRedactor: Redactor = createRedactor({ patterns: TOKENS, hidesNamedKeys: true });
