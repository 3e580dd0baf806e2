import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { COMMAND } from '../command.ts';
import { writeAgent } from './scene.ts';

const lists = { name: 'lists', input: 'what are my tasks?', expected_tools: ['list_tasks'] };

/** `holodeck test --watch` as a process; `until` waits for a text that was not there before. */
function watchTests(file: string, args: string[] = []) {
  const child = spawn(process.execPath, [COMMAND, 'test', file, '--watch', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (piece) => (text += piece));
  const exit = new Promise<number | null>((done) => child.once('exit', done));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  let seen = 0;
  const until = async (wanted: string) => {
    await expect.poll(() => text.slice(seen)).toContain(wanted);
    const found = text.slice(seen);
    seen = text.length;
    return found;
  };
  return { until, exit, interrupt: () => child.kill('SIGINT') };
}

it('runs again after each change, survives a broken file, and ends with Ctrl+C', async () => {
  const file = writeAgent({ test_cases: [lists] });
  const good = readFileSync(file, 'utf8');
  const { until, exit, interrupt } = watchTests(file);
  expect(await until('Ctrl+C ends')).toContain('1 passed');
  writeFileSync(file, good.replace('- list_tasks', '- delete_task'));
  expect(await until('Ctrl+C ends')).toMatch(/agent\.yaml has changed[\s\S]*1 failed[\s\S]*new failures: lists/);
  writeFileSync(file, good.replace('test_cases:', 'test_cases: ]'));
  expect(await until('Ctrl+C ends')).toMatch(/agent\.yaml:\d+:\d+/);
  writeFileSync(file, good);
  expect(await until('Ctrl+C ends')).toMatch(/1 passed[\s\S]*fixed: lists/);
  interrupt();
  expect(await exit).toBe(130);
});

it('begins with a broken file, and notices a change of a case file in a folder', async () => {
  const file = writeAgent({ test_cases_file: 'cases/all.yaml' });
  const folder = join(dirname(file), 'cases');
  mkdirSync(folder);
  const cases = join(folder, 'all.yaml');
  writeFileSync(cases, '- name: [');
  const { until } = watchTests(file);
  expect(await until('Ctrl+C ends')).toMatch(/all\.yaml:\d+:\d+/);
  writeFileSync(cases, JSON.stringify([lists]));
  expect(await until('Ctrl+C ends')).toContain('1 passed');
});

it('does not take its own reports for a change', async () => {
  const file = writeAgent({ test_cases: [lists] });
  const data = join(dirname(file), 'data');
  const { until } = watchTests(file, ['--data', data]);
  await until('Ctrl+C ends');
  writeFileSync(join(dirname(file), 'note.md'), 'x');
  expect(await until('Ctrl+C ends')).toContain('note.md has changed');
  expect(readdirSync(join(data, 'runs'))).toHaveLength(2);
});
