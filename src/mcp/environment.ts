/** What a tool server inherits from our environment; everything else, keys first of all, must be named in `env`. */
const INHERITED = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'TZ', 'TMPDIR', 'TERM'];

export function serverEnvironment(
  configured: Readonly<Record<string, string>>,
  ours: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const inherited = Object.entries(ours).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && isInherited(entry[0]) && !isFunction(entry[1]),
  );
  return { ...Object.fromEntries(inherited), ...configured };
}

function isInherited(name: string): boolean {
  return INHERITED.includes(name) || name.startsWith('LC_');
}

/** Shells export functions as variables that begin so; they are code. */
function isFunction(value: string): boolean {
  return value.startsWith('()');
}
