/**
 * `npm run release`: checks the package as it would be published, then publishes it. With `--dry-run` it only checks.
 * The version is the one in package.json, and CHANGELOG.md has a section of that version.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PUBLISH = ['--provenance', '--access', 'public'];
const isDry = process.argv.includes('--dry-run');
const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'holodeck-release-'));

try {
  const problems = [...checkTree(), ...checkChangelog()];
  const tarball = pack();
  problems.push(...checkTarball(tarball));
  for (const problem of problems) console.error(`problem: ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
  else if (isDry) console.log(`${name} ${version} can be published: npm publish ${PUBLISH.join(' ')}`);
  else publish(tarball);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run(command: string, args: readonly string[], cwd?: string): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], ...(cwd && { cwd }) });
}

/** A dry run may look at unfinished work. */
function checkTree(): string[] {
  if (isDry) return [];
  const isClean = run('git', ['status', '--porcelain']).trim() === '';
  const tags = run('git', ['tag', '--list', `v${version}`]).trim();
  return [
    ...(isClean ? [] : ['the working tree has changes; commit them first']),
    ...(tags === '' ? [] : [`v${version} is published already; raise the version in package.json`]),
  ];
}

function checkChangelog(): string[] {
  const [, section = ''] = readFileSync('CHANGELOG.md', 'utf8').split(`\n## ${version}`);
  const text = section.split('\n## ')[0] ?? '';
  return /^- /m.test(text) ? [] : [`CHANGELOG.md has no section "## ${version}" with changes`];
}

function pack(): string {
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--silent', '--pack-destination', folder]));
  return join(folder, packed.filename);
}

/** Installs the tarball beside nothing else and runs its command. */
function checkTarball(tarball: string): string[] {
  run('npm', ['init', '--yes', '--silent'], folder);
  run('npm', ['install', '--silent', '--no-audit', '--no-fund', '--prefer-offline', tarball], folder);
  const command = join(folder, 'node_modules', '.bin', 'holodeck');
  const shown = run(process.execPath, [command, '--version']).trim();
  return shown.includes(version) ? [] : [`the packed command is version ${shown}, not ${version}`];
}

function publish(tarball: string): void {
  run('npm', ['publish', tarball, ...PUBLISH]);
  run('git', ['tag', `v${version}`]);
  console.log(`${name} ${version} is published. Push the tag: git push origin v${version}`);
}
