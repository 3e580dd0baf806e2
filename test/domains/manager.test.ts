import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Desk, openDesk } from '../data/ask-retail.ts';

const FILE = new URL('../fixtures/routing/manager.tsv', import.meta.url);
/** Message → the beginning of its answer, or `declined`. A blank line begins a new conversation. */
const CONVERSATIONS = readFileSync(FILE, 'utf8')
  .split('\n\n')
  .map((block) => block.split('\n').filter((line) => line !== '' && !line.startsWith('#')))
  .filter((lines) => lines.length > 0)
  .map((lines) => lines.map((line) => line.split('\t')));
/** More of them would be no help: a manager asks ordinary questions. */
const MOST_DECLINED = 8;
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk();
}, 120_000);
afterAll(() => desk.close());

describe("a shop manager's messages", { timeout: 240_000 }, () => {
  it('are answered as expected, and hardly any is declined', async () => {
    const answers: [string | undefined, string][] = [];
    for (const turns of CONVERSATIONS) {
      const conversation = {};
      for (const [message = '', expected = ''] of turns) {
        const { content, calls } = await desk.ask(message, conversation);
        const begins = calls.length === 0 ? 'declined' : content.slice(0, expected.length);
        answers.push([message, begins]);
      }
    }
    expect(answers).toEqual(CONVERSATIONS.flat().map(([message, expected]) => [message, expected]));
    expect(answers.filter(([, begins]) => begins === 'declined').length).toBeLessThanOrEqual(MOST_DECLINED);
  });
});
