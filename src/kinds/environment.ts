import type { Finding, Path } from '../yaml/problem.ts';

export const CONTROL = 'holds a control character; remove it';

/** Line breaks and tabs are allowed: they are common in keys and scripts. */
export function hasControl(text: string): boolean {
  return /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text);
}

export function checkEnvironment(env: Readonly<Record<string, string>>, path: Path): Finding[] {
  return Object.entries(env).flatMap(([name, value]) => {
    const at = [...path, 'env', name];
    if (name.includes('=')) return [{ path: at, message: 'the name of a variable cannot hold =', onKey: true }];
    return hasControl(name) || hasControl(value) ? [{ path: at, message: CONTROL }] : [];
  });
}

/** A text of an entry, with its path inside the entry. */
export interface EntryText {
  path: Path;
  text: string;
}

/** The values of a map that use a value of the user. */
export function findUserTexts(key: string, values: Readonly<Record<string, string>>): EntryText[] {
  return Object.entries(values)
    .filter(([, text]) => text.includes('$user.'))
    .map(([name, text]) => ({ path: [key, name], text }));
}
