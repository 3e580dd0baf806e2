import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../clock.ts';
import { User } from '../../schema/user.ts';
import { offerTools } from '../offer.ts';
import { prepareCall } from '../prepare-call.ts';
import { runCall } from '../run-call.ts';
import type { ToolContext, ToolOutcome, ToolSource } from '../tool.ts';
import { createValidator } from '../validate.ts';
import { createFunctionSource, type FunctionSourceOptions, type FunctionTool } from './function-tools.ts';

const user = User.parse({ id: '11111111-1111-4111-8111-111111111111', name: 'Ada' });
const signal = new AbortController().signal;
const open: ToolSource[] = [];
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'functions-'));
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((source) => source.close()));
  await rm(folder, { recursive: true });
});

/** Each file has a function of the same name. */
function makeSource(
  files: Record<string, string>,
  about: Partial<FunctionSourceOptions> & { env?: Record<string, string> } = {},
): ToolSource {
  for (const [file, code] of Object.entries(files)) writeFileSync(join(folder, file), code);
  const { env = {}, ...options } = about;
  const tools = Object.keys(files).map((file) => makeConfig({ name: file.split('.')[0] ?? '', file, env }));
  const source = createFunctionSource({ name: 'functions', folder, tools, ...options });
  open.push(source);
  return source;
}

function makeConfig(about: object): FunctionTool {
  const settings = {
    function: 'default',
    parameters: { type: 'object' },
    env: {},
    bind: {},
    approve: false,
    idempotent: false,
  };
  return { name: '', file: '', description: 'A function', ...settings, ...about };
}

async function call(
  source: ToolSource,
  name: string,
  args = {},
  about: Partial<ToolContext> = {},
): Promise<ToolOutcome> {
  const tool = (await source.tools(user, { signal })).find((each) => each.name === name);
  const context = { user, conversationId: 'c', callId: 'call-1', signal, progress: () => {}, ask: async () => null };
  return tool?.run(args, { ...context, ...about }) ?? { result: 'no such tool' };
}

const fails = (message: string) => ({ error: { error_type: 'ToolInvocationError', message } });
const cannot = (message: string) => ({ error: { ...fails(message).error, details: { code: 'tool_unavailable' } } });

/** Resolves when the function reports that it runs. */
function whenRunning(): { progress: () => void; running: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { progress: resolve, running: promise };
}

describe('createFunctionSource', () => {
  it('runs a TypeScript function with its arguments, the user, progress and the call id', async () => {
    const source = makeSource({
      'price.ts': `export default async function price(args: { sku: string }, { user, progress, callId }: any) {
        progress('looking');
        return { sku: args.sku, user: user.id, callId, at: new Date(0), gone: undefined };
      }`,
    });
    const said: string[] = [];
    expect(await call(source, 'price', { sku: 'a1' }, { progress: (text) => said.push(text) })).toEqual({
      result: { sku: 'a1', user: user.id, callId: 'call-1', at: '1970-01-01T00:00:00.000Z' },
    });
    expect([said, source.status()]).toEqual([
      ['looking'],
      { state: 'ready', tools: [{ name: 'price', description: 'A function' }] },
    ]);
  });

  it('uses the export and the description from the agent file', async () => {
    writeFileSync(join(folder, 'many.js'), 'export const twice = ({ n }) => n * 2;');
    const parameters = { type: 'object', properties: { n: { type: 'number' } } };
    const about = { name: 'double', file: 'many.js', function: 'twice', parameters, idempotent: true, approve: true };
    const source = makeSource({}, { tools: [makeConfig({ ...about, bind: { user_id: '$user.id' } })] });
    const [tool] = await source.tools(user, { signal });
    expect(tool).toEqual({
      name: 'double',
      description: 'A function',
      inputSchema: parameters,
      idempotent: true,
      needsApproval: true,
      source: 'double',
      bind: { user_id: '$user.id' },
      run: expect.any(Function),
    });
    expect(await call(source, 'double', { n: 21 })).toEqual({ result: 42 });
  });

  it.each([
    ['throws on import', `\nthrow new Error('no licence in /etc/licence.txt')`, 'no licence in a file', ':2:7'],
    ['lacks the export', 'export const other = 1;', 'it has no function named default', ''],
    ['is not code', '\nexport default () => 1 +* 2', '', ':2:25'],
    ['imports what is not there', `\nimport './gone.js';`, 'Cannot find module', ''],
    ['ends the thread', 'process.exit(1);', 'its file did not load to its end', ''],
  ])(
    'fails with a readable message, and writes the place only to the log, when a file %s',
    async (_, code, reason, place) => {
      const logged: string[] = [];
      const source = makeSource({ 'bad.js': code }, { log: (text) => logged.push(text) });
      const outcome = await call(source, 'bad');
      expect(outcome).toEqual(cannot(expect.stringContaining(`bad cannot be used: ${reason}`) as unknown as string));
      expect(source.status()).toMatchObject({
        state: 'unavailable',
        detail: expect.stringContaining(`bad: ${reason}`),
      });
      expect(JSON.stringify([outcome, source.status()])).not.toContain(folder);
      await expect.poll(() => logged, { timeout: 10_000 }).toEqual([expect.stringMatching(/^bad: /)]);
      expect(logged[0]).toContain(`${join(folder, 'bad.js')}${place}`);
    },
  );

  it('is unavailable when a file does not exist or lies outside the folder', async () => {
    symlinkSync('/etc/hostname', join(folder, 'link.js'));
    const tools = ['gone.js', '../out.js', 'link.js'].map((file, index) => makeConfig({ name: `f${index}`, file }));
    const source = makeSource({}, { tools });
    expect(await call(source, 'f0')).toEqual(
      cannot('f0 cannot be used: there is no file gone.js beside the agent file.'),
    );
    expect(await call(source, 'f2')).toEqual(cannot("f2 cannot be used: link.js is outside the agent's folder."));
    expect(source.status().state).toBe('unavailable');
  });

  it('continues with the other functions when one file ends the thread while it loads', async () => {
    const source = makeSource({
      'bad.js': 'process.exit(1);',
      'good.js': 'export default () => "fine";',
    });
    expect(await call(source, 'bad')).toEqual(cannot('bad cannot be used: its file did not load to its end.'));
    expect(await call(source, 'good')).toEqual({ result: 'fine' });
    expect(source.status().state).toBe('degraded');
  });

  it('shows an error that its author exposes, and nothing of any other failure', async () => {
    const logged: string[] = [];
    const files = {
      'words.js': `export default () => { throw Object.assign(new Error('No such article: a1'), { expose: true }) }`,
      'plain.js': `export default () => { throw new Error('password is hunter2') }`,
      'bug.js': 'export default (args) => args.missing.deep',
      'system.js': `import { readFileSync } from 'node:fs'; export default () => readFileSync('/no/such/secret')`,
      'text.js': `export default () => { throw 'secret' }`,
      'circle.js': 'export default () => { const a = {}; a.a = a; return a }',
    };
    const source = makeSource(files, { log: (text) => logged.push(text) });
    expect(await call(source, 'words')).toEqual(fails('No such article: a1'));
    for (const name of ['plain', 'bug', 'system', 'text', 'circle'])
      expect(await call(source, name)).toEqual(fails(`${name} failed unexpectedly.`));
    expect(logged.join('\n')).toMatch(/words: Error: No such article[\s\S]*bug: TypeError[\s\S]*ENOENT[\s\S]*secret/);
  });

  it('keeps printed text of functions out of our output, and our secrets away from them', async () => {
    process.env.HOLODECK_TEST_SECRET = 'secret';
    const { promise, resolve } = Promise.withResolvers<string>();
    const source = makeSource(
      { 'env.js': `export default () => { console.log('printed'); return Object.keys(process.env).sort() }` },
      { log: resolve, env: { SHOP: 'berlin' } },
    );
    const allowed = ['HOME', 'LANG', 'LC_ALL', 'PATH', 'SHOP', 'TMPDIR', 'TZ'];
    const { result } = (await call(source, 'env')) as { result: string[] };
    expect(result.filter((name) => !allowed.includes(name))).toEqual([]);
    expect(result).toContain('SHOP');
    expect(await promise).toBe('printed');
    delete process.env.HOLODECK_TEST_SECRET;
  });

  it('gives each function its own env, and no function that of another', async () => {
    const code =
      'export default () => [process.env.SHOP_KEY ?? null, process.env.MAIL_KEY ?? null].map((key) => key?.length)';
    for (const file of ['shop.js', 'mail.js', 'both.js', 'none.js']) writeFileSync(join(folder, file), code);
    const envs = { shop: { SHOP_KEY: 'abc' }, mail: { MAIL_KEY: 'abcde' }, both: { MAIL_KEY: 'ab', SHOP_KEY: 'a' } };
    const tools = ['shop', 'mail', 'both', 'none'].map((name) =>
      makeConfig({ name, file: `${name}.js`, ...(name in envs && { env: envs[name as keyof typeof envs] }) }),
    );
    const source = makeSource({}, { tools });
    const results = await Promise.all(tools.map(({ name }) => call(source, name)));
    expect(results).toEqual(
      [
        [3, null],
        [null, 5],
        [1, 2],
        [null, null],
      ].map((result) => ({ result })),
    );
  });

  it('keeps the values of env out of messages, results, progress, the log and reports to the author', async () => {
    const said: string[] = [];
    const note = (text: string) => said.push(text);
    const source = makeSource(
      {
        'throws.js': `export default () => { throw new Error('no access with ' + process.env.SHOP_KEY) }`,
        'words.js': `export default () => { throw Object.assign(new Error('refused ' + process.env.SHOP_KEY), { expose: true }) }`,
        'returns.js': `export default (_, { progress }) => {
          const { SHOP_KEY: key, REGION: region } = process.env;
          progress('with ' + key);
          console.log('?key=' + encodeURIComponent(key));
          return { header: 'Bearer ' + key, list: [key], region };
        }`,
      },
      { env: { SHOP_KEY: 'hun"ter/2', REGION: 'berlin' }, log: note, report: ({ text }) => note(text) },
    );
    const outcomes = [];
    for (const name of ['throws', 'words', 'returns']) outcomes.push(await call(source, name, {}, { progress: note }));
    expect(outcomes).toEqual([
      fails('throws failed unexpectedly.'),
      fails('refused [redacted]'),
      { result: { header: 'Bearer [redacted]', list: ['[redacted]'], region: 'berlin' } },
    ]);
    await expect.poll(() => said).toContain('?key=[redacted]');
    expect(said.join()).toContain('throws.js:1 Error: no access with [redacted]');
    expect(said.join()).not.toMatch(/hun.{1,3}ter/);
  });

  it("reports the source's file, line and message to the author, also for compiled code and late errors", async () => {
    const reports: string[] = [];
    const map = Buffer.from(
      JSON.stringify({ version: 3, sources: ['compiled.ts'], names: [], mappings: 'AAAA;AAEA,MAAM' }),
    ).toString('base64');
    const source = makeSource(
      {
        'price.ts': `interface Asked {\n  product: string;\n}\n\nexport default ({ product }: Asked) => {\n  throw new RangeError(\`no price for \${product}\`);\n};\n`,
        'compiled.js': `export default () => {\nthrow new Error('mapped') };\n//# sourceMappingURL=data:application/json;base64,${map}\n`,
        'later.js': `export default () => new Promise(() => { setTimeout(() => { throw new Error('too late') }, 1) })`,
        'words.js': `export default () => { throw Object.assign(new Error('meant'), { expose: true }) }`,
        'text.js': `export default () => { throw 'plain' }`,
      },
      { report: ({ text }) => reports.push(text) },
    );
    for (const name of ['price', 'compiled', 'words', 'text', 'later']) await call(source, name, { product: 'lamp' });
    expect(reports).toEqual([
      'price.ts:6 RangeError: no price for lamp',
      'compiled.ts:3 Error: mapped',
      'text.js threw plain',
      'later.js:1 Error: too late',
    ]);
  });

  it('cuts a result that is too large in its own thread', async () => {
    const source = makeSource({ 'big.js': `export default () => 'x'.repeat(3_000_000)` });
    const { result } = (await call(source, 'big')) as { result: string };
    expect([result.length < 1_000_100, result.slice(-24)]).toEqual([true, '\n[of 3000002 characters]']);
  });

  it('ends a blocking function while another source goes on, and gives calls that had not started to the next thread', async () => {
    const blocked = makeSource({
      'block.js': `export default (_, { progress }) => { progress('running'); for (;;) {} }`,
      'slow.js': `export default (_, { progress, signal }) => { progress('running'); return new Promise(() => {}) }`,
      'quick.js': 'export default () => "quick"',
    });
    writeFileSync(join(folder, 'other.js'), 'export default () => "other"');
    const other = makeSource({}, { tools: [makeConfig({ name: 'other', file: 'other.js' })] });
    const [slow, block, stop] = [whenRunning(), whenRunning(), new AbortController()];
    const beside = call(blocked, 'slow', {}, { progress: slow.progress });
    await slow.running;
    const blocking = call(blocked, 'block', {}, { progress: block.progress, signal: stop.signal });
    await block.running;
    const waiting = call(blocked, 'quick');
    await Promise.resolve();
    expect(await call(other, 'other')).toEqual({ result: 'other' });
    stop.abort();
    const reason = 'block blocked the thread that runs the functions, so it was ended';
    const effect = 'Whether it took effect is not known.';
    expect(await beside).toEqual({ ...fails(`slow was lost: ${reason}. ${effect}`), unknown: true });
    expect(await blocking).toEqual({ ...fails(`block was lost: ${reason}. ${effect}`), unknown: true });
    expect(await waiting).toEqual({ result: 'quick' });
    expect(await call(blocked, 'quick')).toEqual({ result: 'quick' });
  });

  it('gives a blocking function up at the deadline of its call, and answers the next one', async () => {
    const source = makeSource({
      'block.js': 'export default () => { for (;;) {} }',
      'quick.js': 'export default () => "quick"',
    });
    const { offered: tools } = offerTools(await source.tools(user, { signal }));
    const validator = createValidator();
    const surroundings = { user, conversationId: 'c', clock: systemClock, signal };
    const callbacks = { onRun: async () => {}, progress: () => {}, ask: async () => null };
    const run = (name: string) =>
      runCall({
        ...surroundings,
        ...callbacks,
        call: { id: name, name, arguments: {}, state: 'pending' },
        prepared: prepareCall({ call: { name, arguments: {} }, tools, user, validator }),
        timeoutMs: name === 'block' ? 50 : 20_000,
      });
    const blocked = await run('block');
    expect([blocked.state, blocked.error?.error_type]).toEqual(['timeout', 'Timeout']);
    expect((await run('quick')).result).toBe('quick');
  });

  it('lets a function that sees its signal end by itself and keeps its thread', async () => {
    const source = makeSource({
      'polite.js': `let count = 0;
        export default (_, { progress, signal }) => new Promise((resolve) => {
          count++;
          signal.addEventListener('abort', () => resolve('stopped'));
          progress('running');
          if (count === 2) resolve(count);
        })`,
    });
    const [first, stop] = [whenRunning(), new AbortController()];
    const stopped = call(source, 'polite', {}, { progress: first.progress, signal: stop.signal });
    await first.running;
    stop.abort();
    expect(await stopped).toEqual({ result: 'stopped' });
    expect(await call(source, 'polite')).toEqual({ result: 2 });
  });

  it('lets other calls finish before it ends a thread for a function that ignores its signal', async () => {
    const source = makeSource({
      'deaf.js': `export default (_, { progress }) => { progress('running'); setInterval(() => {}, 10); return new Promise(() => {}) }`,
      'patient.js': `export default (_, { progress }) => { progress('running'); return new Promise((resolve) => setTimeout(resolve, 600, 'done')) }`,
    });
    const [deaf, patient, stop] = [whenRunning(), whenRunning(), new AbortController()];
    const ignoring = call(source, 'deaf', {}, { progress: deaf.progress, signal: stop.signal });
    await deaf.running;
    const other = call(source, 'patient', {}, { progress: patient.progress });
    await patient.running;
    stop.abort();
    expect(await other).toEqual({ result: 'done' });
    expect(await ignoring).toMatchObject({ unknown: true });
  });

  it('ends what runs when it is closed, and starts nothing after', async () => {
    const source = makeSource({
      'slow.js': `export default (_, { progress }) => { progress('running'); return new Promise(() => {}) }`,
    });
    const slow = whenRunning();
    const running = call(source, 'slow', {}, { progress: slow.progress });
    await slow.running;
    await source.close();
    const message = 'slow was lost: the agent was stopped. Whether it took effect is not known.';
    expect(await running).toEqual({ ...fails(message), unknown: true });
    expect(await call(source, 'slow')).toEqual(cannot('slow cannot be used: it was stopped before it started.'));
  });

  it('does not start a function whose call was already stopped', async () => {
    const source = makeSource({ 'touch.js': 'export default () => "touched"' });
    const outcome = await call(source, 'touch', {}, { signal: AbortSignal.abort() });
    expect(outcome).toEqual(cannot('touch cannot be used: it was stopped before it started.'));
  });
});
