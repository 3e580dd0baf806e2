import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Agent } from '../../schema/agent.ts';
import { readTestCases } from './read-test-cases.ts';
import { createRedactor, RedactionFile } from './redact.ts';

const plain = RedactionFile.parse({});

describe('createRedactor', () => {
  it.each([
    ['write to anna.meier@firma.de today', 'write to person1@example.com today', 'e-mail'],
    ['my card is 4111 1111 1111 1111, thanks', 'my card is 4000 0000 0000 0001, thanks', 'card'],
    ['call +49 171 1234567 or me', 'call +1 555 0101 or me', 'phone'],
    ['call 555-867-5309', 'call +1 555 0101', 'phone'],
    ['call 030 1234567 at noon', 'call +1 555 0101 at noon', 'phone'],
    ['call (030) 1234567', 'call +1 555 0101', 'phone'],
    ['call 0171/1234567', 'call +1 555 0101', 'phone'],
    ['call 01711234567.', 'call +1 555 0101.', 'phone'],
    ['call 07700 900 123', 'call +1 555 0101', 'phone'],
    ['use sk-proj-abcdefghij0123456789', 'use KEY-1', 'key'],
    ['the password is hunter22', 'the password is KEY-1', 'key'],
    ['pay to DE89 3704 0044 0532 0130 00 now', 'pay to XX00 0000 0000 0001 now', 'account'],
  ])('%s', (text, clean, rule) => {
    const redactor = createRedactor(plain);
    expect(redactor.text(text)).toBe(clean);
    expect([...redactor.counts()]).toEqual([[rule, 1]]);
  });

  it.each([
    'due on 2026-03-02 at 17:30',
    'revenue was 1,204,330.50 in 2025',
    'order 1234 5678 9012 3456 is late',
    'buy 12 eggs and 3 litres of milk',
    'version 10.20.30-4',
    'from 08:30 on 03-02-2026 in 01067 Dresden',
    'a rate of 0.0512345 for article 00042',
  ])('leaves "%s"', (text) => {
    expect(createRedactor(plain).text(text)).toBe(text);
  });

  it('replaces equal values by equal stand-ins, also within values of calls, and its own stand-ins never again', () => {
    const redactor = createRedactor(plain);
    const once = redactor.json({ to: ['a@b.de', 'c@d.de'], body: 'from A@B.de' });
    expect(once).toEqual({ to: ['person1@example.com', 'person2@example.com'], body: 'from person1@example.com' });
    expect(redactor.json(once)).toEqual(once);
  });

  it('applies names and patterns of the author', () => {
    const patterns = [{ name: 'customer', regex: 'C-\\d{4}', replace: 'C-0000' }];
    const redactor = createRedactor(RedactionFile.parse({ names: ['Anna Meier', 'Bo'], patterns }));
    expect(redactor.text('anna  meier (C-1234) met Bo, not Bob')).toBe('Person 1 (C-0000) met Person 2, not Bob');
  });

  it('leaves no e-mail address of any text', () => {
    const address = fc
      .tuple(fc.stringMatching(/^[a-z0-9.]{1,12}$/), fc.domain())
      .map(([name, host]) => `${name}@${host}`);
    fc.assert(
      fc.property(fc.string(), address, fc.string(), (before, email, after) => {
        expect(createRedactor(plain).text(`${before} ${email} ${after}`)).not.toContain(email);
      }),
    );
  });
});

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
