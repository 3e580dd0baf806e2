/** Variables that a tool server inherits; everything else, above all keys, must be named in `env`. */
const INHERITED = new Set([
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'TZ', 'TMPDIR', 'TERM'],
  // With a proxy or a private certificate authority, a server has no network without these.
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'],
]);

/** npm settings that `npx` needs for the same reason. npm reads them in any case, with - or _ between words. */
const NPM_SETTINGS = new Set([
  ...['registry', 'proxy', 'https_proxy', 'noproxy', 'cafile', 'strict_ssl', 'cache', 'prefer_offline'],
]);
const NPM_SETTING = /^npm_config_(.+)$/i;

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
  const setting = NPM_SETTING.exec(name)?.[1];
  if (setting !== undefined) return NPM_SETTINGS.has(setting.toLowerCase().replaceAll('-', '_'));
  return INHERITED.has(name) || name.startsWith('LC_');
}

/** Shells export functions as variables with this prefix; they are code. */
function isFunction(value: string): boolean {
  return value.startsWith('()');
}
