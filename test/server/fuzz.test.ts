import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pick } from '../long.ts';
import { judge, requests } from './fuzz.ts';
import { keepRuns } from './kept-runs.ts';
import { openServer, readAnswer } from './server.ts';

const RUNS = pick(500, 5_000);

it(`answers ${RUNS} generated requests without a failure of its own, each within a second`, {
  timeout: 3_600_000,
}, async () => {
  const agent = { server: { rate_limit: { turns_per_minute: 1_000_000 } } };
  const { folder } = keepRuns('helper');
  const app = { runsFolder: () => folder };
  const { url, call } = await openServer({ replies: () => 'Hi.', agent, app });
  const { session_id } = await readAnswer(await call('POST /agent/helper/chat', { body: { message: 'hello' } }));
  await fc.assert(
    fc.asyncProperty(requests(session_id), async (request) => {
      expect(await judge(url, request)).toBeUndefined();
    }),
    { numRuns: RUNS },
  );
});
