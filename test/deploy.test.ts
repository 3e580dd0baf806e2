import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

const read = (name: string) => readFileSync(`deploy/${name}`, 'utf8');

/** Runs a checker of the system; undefined where it is not installed. */
function check(command: string, args: string[]): { status: number | null; output: string } | undefined {
  const { error, status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  return error ? undefined : { status, output: stdout + stderr };
}

it('the documents of an agent are read on the volumes of its servers, by the command that builds', () => {
  const guide = readFileSync('docs/guides/deploy.md', 'utf8');
  const fence = /```yaml\n( +initContainers:[\s\S]*?)```/.exec(guide)?.[1] ?? '';
  const { template } = parseAllDocuments(read('k8s.yaml'))
    .map((document) => document.toJS())
    .find(({ kind }) => kind === 'Deployment').spec;
  const [serve] = template.spec.containers;
  const [build] = parse(fence).initContainers;
  expect(build).toMatchObject({ image: serve.image, volumeMounts: serve.volumeMounts });
  expect(build.args).toEqual(['knowledge', 'build', serve.args[1]]);
});

describe('the Dockerfile', () => {
  const lines = read('Dockerfile')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n');
  const of = (word: string) =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));

  it('builds in one stage and runs the package in another, on fixed versions', () => {
    expect(of('FROM')).toHaveLength(2);
    for (const image of of('FROM')) expect(image).toMatch(/^node:24-[a-z]+-slim( AS build)?$/);
    expect(of('COPY').at(-1)).toMatch(/^--from=build /);
  });

  it('copies only files that exist', () => {
    const sources = of('COPY').flatMap((line) => (line.startsWith('--from') ? [] : line.split(' ').slice(0, -1)));
    for (const source of sources) expect(existsSync(source), source).toBe(true);
  });

  it('runs without root, with a health check, and as the first process without a shell', () => {
    expect(of('USER')).toEqual(['node']);
    expect(lines.findIndex((line) => line.startsWith('USER '))).toBeGreaterThan(
      lines.findLastIndex((line) => line.startsWith('RUN ')),
    );
    expect(of('HEALTHCHECK')[0]).toContain('/ready');
    for (const line of [...of('ENTRYPOINT'), ...of('CMD')]) expect(JSON.parse(line)).toBeInstanceOf(Array);
    expect(of('ADD')).toEqual([]);
  });

  it('leaves out what must not be in an image', () => {
    expect(readFileSync('.dockerignore', 'utf8').split('\n')).toEqual(
      expect.arrayContaining(['node_modules', '.git', '.holodeck', '.env']),
    );
  });
});

describe('compose.yaml', () => {
  const { services, volumes } = parse(read('compose.yaml'), { merge: true });

  it('starts two servers behind a proxy, on one database that is up first', () => {
    expect(Object.keys(services)).toEqual(['postgres', 'server-1', 'server-2', 'proxy']);
    for (const server of [services['server-1'], services['server-2']]) {
      expect(server).toMatchObject({ init: true, depends_on: { postgres: { condition: 'service_healthy' } } });
      expect(server.environment.DATABASE_URL).toContain('@postgres:5432/holodeck');
      expect(existsSync(`deploy/${server.build.context}/${server.build.dockerfile}`)).toBe(true);
    }
    expect(services.postgres.healthcheck.test).toContain('pg_isready -U holodeck');
    expect(Object.keys(volumes)).toEqual(['postgres']);
  });

  it('has no password in it', () => {
    const secrets = [...read('compose.yaml').matchAll(/(?:PASSWORD|SECRET): (.+)/g)].map(([, value]) => value);
    expect(secrets).toEqual([expect.stringMatching(/^\$\{/), expect.stringMatching(/^\$\{/)]);
  });
});

describe('haproxy.cfg', () => {
  it('names the servers of compose.yaml and asks them for /ready', () => {
    const config = read('haproxy.cfg');
    const { services } = parse(read('compose.yaml'), { merge: true });
    const hosts = [...config.matchAll(/^ {2}server \S+ ([\w-]+):8000$/gm)].map(([, host]) => host);
    expect(hosts).toEqual(Object.keys(services).filter((name) => name.startsWith('server-')));
    expect(config).toContain('option httpchk GET /ready');
  });

  it('is accepted by haproxy where it is installed', () => {
    const checked = check('haproxy', ['-c', '-f', 'deploy/haproxy.cfg']);
    // The hosts are known only inside compose: two lines about them, and the sum of both.
    const alerts = checked?.output.split('\n').filter((line) => /ALERT/.test(line)) ?? [];
    expect(alerts.filter((line) => !/could not resolve address|initialize server\(s\) addr/.test(line))).toEqual([]);
  });
});

describe('k8s.yaml', () => {
  const parts = parseAllDocuments(read('k8s.yaml')).map((document) => document.toJS());
  const [deployment, service, budget] = parts;
  const pod = deployment.spec.template;

  it('is a deployment, its service and a disruption budget for the same pods', () => {
    expect(parts.map(({ kind }) => kind)).toEqual(['Deployment', 'Service', 'PodDisruptionBudget']);
    const labels = pod.metadata.labels;
    expect([deployment.spec.selector.matchLabels, service.spec.selector, budget.spec.selector.matchLabels]).toEqual([
      labels,
      labels,
      labels,
    ]);
    expect(budget.spec.minAvailable).toBeLessThan(deployment.spec.replicas);
  });

  it('runs without root, takes traffic when ready, is not restarted for the database, and mounts what it names', () => {
    const [container] = pod.spec.containers;
    expect(pod.spec.securityContext.runAsNonRoot).toBe(true);
    expect(container.readinessProbe.httpGet).toEqual({ path: '/ready', port: 'http' });
    expect(container.livenessProbe.httpGet).toBeUndefined();
    const mounted = container.volumeMounts.map(({ name }: { name: string }) => name);
    expect(pod.spec.volumes.map(({ name }: { name: string }) => name)).toEqual(mounted);
  });
});

describe('the systemd unit', () => {
  it('restarts, waits for running turns, and is not root', () => {
    const unit = read('systemd/holodeck@.service');
    expect(unit).toMatch(/^User=holodeck$/m);
    expect(unit).toMatch(/^Restart=always$/m);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(25);
  });

  it('is accepted by systemd-analyze where it is installed', () => {
    const checked = check('systemd-analyze', ['verify', '--man=no', './deploy/systemd/holodeck@.service']);
    if (checked) expect(checked.output).not.toMatch(/holodeck@.*(Unknown|Failed to parse|Invalid|ignoring)/);
  });
});
