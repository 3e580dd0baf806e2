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

/** Checks that HTTP can carry the names and values. */
export function checkHeaders(headers: Readonly<Record<string, string>>, path: Path): Finding[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const isValid = /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e]*$/.test(value);
    const message = 'is not a valid header: its name or value contains a forbidden character';
    return isValid ? [] : [{ path: [...path, 'headers', name], message }];
  });
}

const METADATA_NAMES = /^(metadata|instance-data)(\.|$)/;
/** Addresses where a cloud machine serves the keys of its own account to any local reader. */
const METADATA_ADDRESSES =
  /^(169\.254\.\d+\.\d+|100\.100\.100\.200|\[fe[89ab][0-9a-f]:.*\]|\[fd00:ec2::254\]|\[::ffff:a9fe:[0-9a-f]+\])$/;

/** Normalizes the address first: 169.254.169.254 may also be written as a single number. */
export function checkAddress(address: string | undefined, path: Path): Finding[] {
  if (address === undefined || !URL.canParse(address)) return [];
  const host = new URL(address).hostname;
  if (!METADATA_NAMES.test(host) && !METADATA_ADDRESSES.test(host)) return [];
  return [{ path, message: 'is a link-local address, where machines of a cloud read their keys; name another one' }];
}
