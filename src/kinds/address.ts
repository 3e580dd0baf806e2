import type { Finding, Path } from '../yaml/problem.ts';

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
