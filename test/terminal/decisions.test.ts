import { appendFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { call, openWorld, say } from './session.ts';

const CTRL_C = '\u0003';

describe('a tool that asks first', () => {
  it('shows the exact arguments, hidden characters too, and runs after a yes', async () => {
    const world = await openWorld([call(['wipe', { disk: 'a\u202eb\u200b' }]), say('Done.')]);
    const session = world.chat();
    await session.until(/\n>/);
    session.type('wipe it\r');
    const asked = await session.until('allow?');
    expect(asked).toContain('wipe wants to run with');
    expect(asked).toContain('"disk": "a\\u{202e}b\\u{200b}"');
    session.type('y\r');
    const screen = await session.until('Done.');
    expect(screen).toMatch(/▸ wipe .*✓ [\d.]+ m?s/);
  });

  it('shows the name from an earlier result beside its id', async () => {
    const world = await openWorld([call(['disks', {}]), call(['wipe', { disk: '5e1f' }]), say('Done.')]);
    const session = world.chat();
    await session.until(/\n>/);
    session.type('wipe my photos\r');
    const asked = await session.until('allow?');
    expect(asked).toMatch(/"disk": "5e1f"\n +\}\n +disk is "Photos of 2019", says disks\n/);
  });

  it('is not asked about again after "always"', async () => {
    const world = await openWorld([
      call(['wipe', { disk: 'a' }]),
      say('First.'),
      call(['wipe', { disk: 'b' }]),
      say('Second.'),
    ]);
    const session = world.chat();
    await session.until(/\n>/);
    session.type('wipe a\r');
    await session.until('allow?');
    session.type('a\r');
    await session.until('First.');
    session.type('wipe b\r');
    const screen = await session.until('Second.');
    expect(screen.split('allow?').length - 1).toBe(1);
  });

  it('is not run after a no, and the model reads the reason', async () => {
    const world = await openWorld([call(['wipe', { disk: 'a' }]), say('Understood.')]);
    const session = world.chat();
    await session.until(/\n>/);
    session.type('wipe it\r');
    await session.until('allow?');
    session.type('no, because it holds my photos\r');
    const screen = await session.until('Understood.');
    expect(screen).toMatch(/▸ wipe .*✗ denied\n/);
    expect(screen).not.toMatch(/did not allow|missing/);
    expect(JSON.stringify(world.model.requests.at(-1)?.body)).toContain('it holds my photos');
  });

  it('is given up together with the turn by Ctrl+C, and still waits after a crash', async () => {
    const world = await openWorld([call(['wipe', { disk: 'a' }]), say('Wiped.')]);
    const first = world.chat();
    await first.until(/\n>/);
    first.type('wipe it\r');
    await first.until('allow?');
    first.kill('SIGKILL');
    await first.exit;
    const second = world.chat(['--resume']);
    await second.until('allow?');
    second.type(CTRL_C);
    await second.until('stopped');
    second.type('/sessions\r');
    await second.until('messages ·');
    expect(world.model.requests.length).toBe(1);
  });

  it('never takes text typed before the question as an answer', async () => {
    const gate = Promise.withResolvers<void>();
    const world = await openWorld([
      async (response) => {
        await gate.promise;
        await call(['wipe', { disk: 'a' }])(response);
      },
      say('Answered.'),
    ]);
    const session = world.chat();
    await session.until(/\n>/);
    session.type('wipe it\r');
    await session.until('thinking');
    session.type('y\r');
    gate.resolve();
    await session.until('allow?');
    session.type('n\r');
    const screen = await session.until(/✗[\s\S]*Answered\./);
    expect(screen).not.toMatch(/wipe .*✓/);
  });
});

const TEAM = `agents: { checker: { description: Wipes., instructions: Wipe., tools: [wipe] } }\nsub_agents: [checker]\n`;

it('a member of a team asks under its own name, also after a crash', async () => {
  const delegate = call(['delegate_to_checker', { task: 'Wipe a.' }]);
  const world = await openWorld([delegate, call(['wipe', { disk: 'a' }]), say('Wiped.'), say('All done.')]);
  appendFileSync(world.agent, TEAM);
  const first = world.chat();
  await first.until(/\n>/);
  first.type('wipe it\r');
  const asked = await first.until('allow?');
  expect(asked).toMatch(/▸ checker .*\? waiting for you\n +\? checker wants to call wipe with\n/);
  first.kill('SIGKILL');
  await first.exit;
  const second = world.chat(['--resume']);
  await second.until('allow?');
  second.type('y\r');
  expect(await second.until('All done.')).toMatch(/▸ checker .*✓/);
  expect(world.model.requests.length).toBe(4);
});
