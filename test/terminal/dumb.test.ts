import { expect, it } from 'vitest';
import { call, openWorld, say } from './session.ts';

it('a terminal that shows lines only gets plain lines, and can still be asked', async () => {
  const world = await openWorld([call(['wipe', { disk: 'a' }]), say('It is **wiped**.')]);
  const session = world.chat([], { env: { TERM: 'dumb', NO_COLOR: '' } });
  await session.until(/\n> ?$/);
  session.type('wipe it\r');
  await session.until('allow?');
  session.type('y\r');
  const screen = await session.until(/2 of 50 messages.*\n> ?$/);
  expect(screen).toMatch(/▸ wipe {2}disk "a" +✓ [\d.]+ m?s\nIt is \*\*wiped\*\*\.\n/);
  session.type('\u0004');
  expect(await session.exit).toBe(0);
  expect(session.bytes).not.toContain('\u001b');
});
