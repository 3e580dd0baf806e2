/**
 * Questions over your own CSV files, with figures that a few lines of JavaScript confirm.
 * Run it in a checkout with `npx node --conditions=holodeck-source examples/own-data/main.ts`; it asserts its own result.
 */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRuntime, loadAgent, type TurnResult, userFromId } from 'holodeck';

const here = import.meta.dirname;
const folder = await mkdtemp(join(tmpdir(), 'holodeck-example-'));
const agent = await loadAgent(join(here, 'agent.yaml'));
const user = userFromId('123e4567-e89b-12d3-a456-426614174000');
const runtime = await createRuntime({ agents: [agent], folder });

async function ask(message: string): Promise<TurnResult> {
  const turn = await runtime.chat(user, { agent: agent.name, message });
  for await (const event of turn.events) {
    if (event.type !== 'turn-end') continue;
    console.log(`> ${message}\n${event.result.content}\n`);
    return event.result;
  }
  throw new Error('the turn did not end');
}

// The same figures, from the rows.
const [, ...lines] = (await readFile(join(here, 'rides.csv'), 'utf8')).trim().split('\n');
const rides = lines.map((line) => {
  const [, date = '', station = '', bike = '', , , fee = ''] = line.split(',');
  return { date, station, bike, fee: Number(fee) };
});
const revenueOf = (some: typeof rides) => some.reduce((sum, ride) => sum + ride.fee, 0).toFixed(2);

const count = await ask('How many rides are there?');
assert.match(count.content, new RegExp(`\\b${rides.length}\\b`));
assert.equal(count.confidence, 'high');

const best = await ask('Which station has the highest revenue?');
const central = rides.filter(({ station }) => station === '1');
assert.match(best.content, /Central/);
assert.ok(best.content.includes(revenueOf(central)), `${revenueOf(central)} is the revenue of Central`);
assert.ok(
  best.checks?.every(({ found }) => found),
  'every figure of the answer is in a row of the result',
);

const october = await ask('What was the revenue in October 2025?');
const inOctober = rides.filter(({ date }) => date.startsWith('2025-10'));
assert.ok(october.content.includes(revenueOf(inOctober)));

// Words that the data does not know are named, and no figure of another question is given.
const unknown = await ask('What was the revenue in rainy weather?');
assert.match(unknown.content, /"rainy"/);
assert.doesNotMatch(unknown.content, /\$\d/);
assert.notEqual(unknown.confidence, 'high');

// Missing values are said where they touch an answer.
const rating = await ask('What is the average rating by bike type?');
assert.match(rating.content, /8 of 400 values of rating are missing/);

await runtime.stop();
await rm(folder, { recursive: true });
console.log('own-data example: all assertions hold');
