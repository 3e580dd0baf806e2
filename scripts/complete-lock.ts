/**
 * Adds to package-lock.json the packages of other platforms that a partial registry mirror does not have.
 * npm leaves them out when it cannot see them, and `npm ci` then refuses the lock file everywhere.
 * Run it after `npm install`: node scripts/complete-lock.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';

interface LockedPackage {
  version: string;
  cpu?: string[];
  os?: string[];
  libc?: string[];
  dev?: boolean;
  optional?: boolean;
  optionalDependencies?: Record<string, string>;
}

const PATH = 'package-lock.json';
const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const PROCESSORS = ['arm64', 'arm', 'x64', 'ia32', 'ppc64', 'riscv64', 's390x', 'loong64', 'mips64el', 'wasm32'];

const lock: { packages: Record<string, LockedPackage> } = JSON.parse(readFileSync(PATH, 'utf8'));
const missing = Object.entries(lock.packages).flatMap(([path, owner]) => findMissing(path, owner));
for (const [path, entry] of missing) lock.packages[path] = entry;
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(PATH, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${missing.length} packages of other platforms added to ${PATH}`);

function findMissing(path: string, owner: LockedPackage): [string, LockedPackage][] {
  return Object.entries(owner.optionalDependencies ?? {}).flatMap(([name, version]): [string, LockedPackage][] => {
    const isThere = lock.packages[`node_modules/${name}`] ?? lock.packages[`${path}/node_modules/${name}`];
    const platform = platformOf(name);
    if (isThere || !platform || !/^\d/.test(version)) return [];
    return [[`node_modules/${name}`, { version, ...platform, ...(owner.dev && { dev: true }), optional: true }]];
  });
}

/** Derives the platform from the package name, such as `binding-linux-arm64-musl`. */
function platformOf(name: string): Pick<LockedPackage, 'cpu' | 'os' | 'libc'> | undefined {
  const words = name.split('/').at(-1)?.split(/[-.]/) ?? [];
  const os = SYSTEMS.find((system) => words.includes(system));
  const cpu = PROCESSORS.find((processor) => words.includes(processor));
  if (cpu === 'wasm32') return { cpu: [cpu] };
  const libc = words.includes('musl') ? { libc: ['musl'] } : {};
  return os && cpu ? { cpu: [cpu], ...libc, os: [os] } : undefined;
}
