import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sweep } from '../long.ts';
import { type Desk, openDesk } from './ask-retail.ts';

const FILE = new URL('../fixtures/routing/hostile.tsv', import.meta.url);
const questions = readFileSync(FILE, 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split('\t'));
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk();
}, 120_000);
afterAll(() => desk.close());

it('is never sure of a question that is easily taken for another one', { timeout: 240_000 }, async () => {
  const sure: string[] = [];
  for (const [ask = '', reading] of sweep(questions, 6)) {
    const { confidence, content } = await desk.ask(ask);
    const isMeant = reading !== undefined && content.toLowerCase().startsWith(`${reading.toLowerCase()}.`);
    if (confidence === 'high' && !isMeant) sure.push(`${ask} → ${content}`);
  }
  expect(questions.length).toBeGreaterThan(60);
  expect(sure).toEqual([]);
});
