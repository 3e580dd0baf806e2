import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Agent } from '../../schema/agent.ts';
import { readTestCases } from './read-test-cases.ts';

async function read(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'holodeck-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'cases.yaml');
  writeFileSync(path, text);
  const agent = { name: 'a', folder, test_cases_file: path } as Agent; // the parts that are read
  return readTestCases(agent, { env: {}, cwd: folder });
}

const problemsOf = (text: string) =>
  read(text).then(
    () => '',
    ({ message }: Error) => message,
  );

describe('a file of test cases', () => {
  it.each([
    ['a list', '- { name: a, input: hi }\n- { name: b, input: hi }\n'],
    ['a list after a mark and a comment', '---\n# mine\n- name: a\n  input: |\n    hi\n- { name: b, input: hi }\n'],
    ['JSON in one line', '[{"name":"a","input":"hi"},{"name":"b","input":"hi"}]'],
    ['JSON in lines', '[\n  {"name":"a","input":"hi"},\n  {"name":"b","input":"hi"}\n]\n'],
    ['a map', 'now: 2026-03-02\ntest_cases: [{ name: a, input: hi }, { name: b, input: hi }]\n'],
  ])('may be %s', async (_shape, text) => {
    expect((await read(text)).map(({ name, input }) => [name, input?.trim()])).toEqual([
      ['a', 'hi'],
      ['b', 'hi'],
    ]);
  });

  it.each([
    ['- name: a\n  inputs: hi\n', /^cases\.yaml:2:3 .*inputs/m],
    ['[\n  {"name":"a","inputs":"hi"}\n]', /^cases\.yaml:2:15 .*inputs/m],
    ['test_cases:\n  - { name: a, inputs: hi }\n', /^cases\.yaml:2:16 .*inputs/m],
    ['- name: [\n', /^cases\.yaml:\d:\d/],
  ])('has the place of a problem, as in %j', async (text, place) => {
    expect(await problemsOf(text)).toMatch(place);
  });
});
