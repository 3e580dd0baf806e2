import { execSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMAND } from '../command.ts';
import { sendStatus } from '../fakes/model-server.ts';
import { temporaryFolder } from '../runtime.ts';
import { call, openWorld, say, type World } from './session.ts';

const never = new Promise<never>(() => {});

interface Outcome {
  code: number | null;
  out: string;
  aside: string;
}

interface Running extends Promise<Outcome> {
  interrupt(): void;
}

interface RunOptions {
  input?: string;
  world?: World;
  env?: Record<string, string>;
}

/** Runs the command with pipes instead of a terminal. */
function run(args: string[], { input = '', world, env: given }: RunOptions = {}): Running {
  const env = { ...process.env, ...(world && { MODEL_URL: `${world.model.url}/v1` }), ...given };
  const child = spawn(process.execPath, [COMMAND, ...args], { env, stdio: 'pipe' });
  child.stdin.end(input);
  const outcome = new Promise<Outcome>((resolve) => {
    const text = { out: '', aside: '' };
    child.stdout.on('data', (piece) => {
      text.out += piece;
    });
    child.stderr.on('data', (piece) => {
      text.aside += piece;
    });
    child.on('close', (code) => resolve({ code, ...text }));
  });
  return Object.assign(outcome, { interrupt: () => void child.kill('SIGINT') });
}

describe('chat without a terminal', () => {
  it('takes lines and gives answers, nothing else, and leaves with 0', async () => {
    const world = await openWorld([call(['look', { city: 'Oslo' }]), say('**Clear** sky.'), say('Bye.')]);
    const input = 'how is\\\nOslo?\n\nthank you\nexit\nnever read\n';
    const outcome = await run(['chat', world.agent, '--data', world.data], { input, world });
    expect(outcome).toEqual({ code: 0, out: '**Clear** sky.\nBye.\n', aside: '' });
  });

  it('writes one event a line with --json, and a refused message as an error', async () => {
    const world = await openWorld([say('Fine.')]);
    const input = `hello\n${'x'.repeat(10_001)}\n`;
    const { out, code } = await run(['chat', world.agent, '--data', world.data, '--json'], { input, world });
    const types = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).type);
    expect(code).toBe(0);
    expect(types.at(0)).toBe('turn-start');
    expect(types.slice(-2)).toEqual(['turn-end', 'error']);
  });

  it('denies calls that need a person, and informs the model', async () => {
    const world = await openWorld([call(['wipe', { disk: 'a' }]), say('Not done.')]);
    const { out } = await run(['chat', world.agent, '--data', world.data], { input: 'wipe\n', world });
    expect(out).toBe('Not done.\n');
    expect(JSON.stringify(world.model.requests.at(-1)?.body)).toContain('no terminal to ask in');
  });

  it('strips escapes also where they are cut in two', async () => {
    const world = await openWorld([say('a\u001b', '[31mb\u001b]0;x', 'y\u0007c\u202e')]);
    const { out } = await run(['chat', world.agent, '--data', world.data], { input: 'go\n', world });
    expect(out).toBe('abc\n');
  });

  it('leaves with 130 after an interrupt', async () => {
    const world = await openWorld([say('begun', never)]);
    const running = run(['chat', world.agent, '--data', world.data], { input: 'go\n', world });
    await expect.poll(() => world.model.requests.length, { timeout: 20_000 }).toBe(1);
    running.interrupt();
    expect(await running).toMatchObject({ code: 130 });
  });
});

describe('a misspelt command', () => {
  it.each([
    ['serv', [], 'serve'],
    ['chek', ['agent.yaml'], 'check'],
    ['audti', ['--json'], 'audit'],
  ])('%s names the one that is meant', async (word, rest, meant) => {
    const aside = `${word} is not a command, did you mean ${meant}?\n`;
    expect(await run([word, ...rest])).toEqual({ code: 1, out: '', aside });
  });
});

describe('exit codes', () => {
  it('is 1 for a file with problems, which are all reported', async () => {
    const file = join(temporaryFolder(), 'agent.yaml');
    writeFileSync(file, 'name: x\ninstuctions: Help.\n');
    const { code, aside } = await run(['chat', file]);
    expect(code).toBe(1);
    expect(aside).toMatch(/agent\.yaml:2:1 instuctions: unknown key, did you mean instructions/);
  });

  it('is 1 for a model that cannot be meant', async () => {
    const { code, aside } = await run(['chat', '--model', 'gpt', '--data', temporaryFolder()]);
    expect({ code, aside }).toEqual({ code: 1, aside: expect.stringContaining('write provider/name') });
  });

  it('is 1 for a model without its key, which is named', async () => {
    const world = await openWorld([say('hi')]);
    const args = ['run', world.agent, 'hi', '--model', 'google/gemini-2.5-flash', '--data', world.data];
    const { code, aside } = await run(args, { world, env: { GEMINI_API_KEY: '', GOOGLE_API_KEY: '' } });
    expect({ code, aside }).toEqual({ code: 1, aside: expect.stringContaining('export GEMINI_API_KEY=') });
  });

  it('is 2 when the store cannot be opened', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const { code } = await run(['chat', '--data', file], { input: 'hi\n' });
    expect(code).toBe(2);
  });

  it('is 3 for a run that ended in an error, and 0 for an answer', async () => {
    const world = await openWorld([sendStatus(401)]);
    const failed = await run(['run', world.agent, 'hi', '--data', world.data], { world });
    expect(failed.code).toBe(3);
    const answering = await openWorld([say('Hello.')]);
    const good = await run(['run', answering.agent, 'hi', '--data', answering.data], { world: answering });
    expect(good).toEqual({ code: 0, out: 'Hello.\n', aside: '' });
  });

  it('is 130 for a run that was interrupted', async () => {
    const world = await openWorld([say('begun', never)]);
    const running = run(['run', world.agent, 'hi', '--data', world.data], { world });
    await expect.poll(() => world.model.requests.length, { timeout: 20_000 }).toBe(1);
    running.interrupt();
    expect(await running).toMatchObject({ code: 130 });
  });
});

describe('holodeck init', () => {
  it('asks with its option, also over a pipe; the end of the input takes the defaults', async () => {
    const folder = temporaryFolder();
    const asked = await run(['init', join(folder, 'one'), '-i'], { input: 'helper\nollama/qwen3\n' });
    expect(asked).toMatchObject({ code: 0, aside: '' });
    expect(readFileSync(join(folder, 'one', 'agent.yaml'), 'utf8')).toMatch(/name: helper[\s\S]*name: qwen3/);
    expect(await run(['init', join(folder, 'two'), '-i'])).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, 'two', 'agent.yaml'), 'utf8')).toMatch(/name: two[\s\S]*# model:/);
  });

  it('gives a command that works in any folder, also where it was called by npx', async () => {
    const folder = temporaryFolder();
    const { out } = await run(['init', join(folder, 'shop')], { env: { npm_lifecycle_event: 'npx' } });
    const [, chat = 'none'] = out.split('\n');
    const env = { PATH: '/usr/bin:/bin', HOLODECK_DATA: join(folder, 'data') };
    const answer = execSync(chat, { cwd: folder, env, input: 'what does tea cost?\n', encoding: 'utf8' });
    expect(answer).toBe('1 × tea: 2.50 EUR\n');
  });

  it('overwrites nothing, and suggests a folder that is free', async () => {
    const folder = temporaryFolder();
    const init = (name: string) => run(['init', join(folder, name)]);
    await init('shop');
    const { code, aside } = await init('shop');
    expect([code, aside]).toEqual([
      1,
      expect.stringContaining(`Choose another folder: node ${COMMAND} init ${folder}/shop-2`),
    ]);
    await init('shop-2');
    expect((await init('shop')).aside).toContain(`init ${folder}/shop-3`);
  });

  it('reports that the folder is a file', async () => {
    const file = join(temporaryFolder(), 'notes.txt');
    writeFileSync(file, 'mine');
    const { code, aside } = await run(['init', file]);
    expect([code, aside]).toEqual([1, expect.stringContaining('cannot be written to')]);
  });

  it('writes an agent that is good and answers without a key', async () => {
    const folder = join(temporaryFolder(), 'my shop');
    const file = join(folder, 'agent.yaml');
    const next = `  node ${COMMAND} chat '${file}'\n  node ${COMMAND} check '${file}'   after every change\n`;
    expect(await run(['init', folder])).toMatchObject({ code: 0, out: expect.stringContaining(next), aside: '' });
    expect(readFileSync(file, 'utf8')).toMatch(
      /^# yaml-language-server: \$schema=\.\/agent\.schema\.json\nname: my-shop\n/,
    );
    expect(existsSync(join(folder, 'agent.schema.json'))).toBe(true);
    expect(await run(['check', file])).toMatchObject({
      code: 0,
      out: expect.stringContaining('tools get_price, tasks'),
    });
    const input = 'how much are 3 coffees?\nhello\nwhat does sugar cost?\nbread\n';
    const { out, code } = await run(['chat', file, '--data', join(folder, 'data')], { input });
    const known = 'I keep your tasks, and I know what tea, coffee, milk and bread cost.';
    const order = [
      '3 × coffee: 9.60 EUR',
      `Hello! ${known}`,
      '(what to look up: tea, coffee, milk, bread)',
      '1 × bread',
    ];
    const found = order.filter((text) => out.includes(text)).sort((a, b) => out.indexOf(a) - out.indexOf(b));
    expect({ code, found }).toEqual({ code: 0, found: order });
  });

  it('overwrites nothing', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'agent.yaml'), 'mine');
    const { code, aside } = await run(['init', folder]);
    expect({ code, aside }).toEqual({ code: 1, aside: expect.stringContaining('already exist') });
    expect(readFileSync(join(folder, 'agent.yaml'), 'utf8')).toBe('mine');
    expect(existsSync(join(folder, 'price.ts'))).toBe(false);
  });
});
