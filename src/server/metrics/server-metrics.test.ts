import { get } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { openServer } from '../../../test/server/server.ts';
import { createServerMetrics, serveMetrics } from './server-metrics.ts';

it('serves requests, turns and tokens in the format of Prometheus, without a user or a conversation', async () => {
  const metrics = createServerMetrics();
  const { call } = await openServer({ replies: () => 'Hi.', app: { metrics } });
  metrics.turnEnded({
    agent: 'helper',
    status: 'completed',
    ms: 120,
    usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
  });
  const answer = await call('POST /agent/helper/chat', { body: { message: 'hello' } });
  const { session_id } = (await answer.json()) as { session_id: string };
  await (await call(`GET /sessions/${session_id}`)).text();
  const server = await serveMetrics(metrics, { host: '127.0.0.1', port: 0, allowedHosts: ['metrics.example'] });
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  await expect.poll(async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).toContain('/sessions/{');
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(text).toContain(
    'http_server_request_duration_seconds_count{http_request_method="POST",http_route="/agent/{name}/chat",http_response_status_code="200"} 1',
  );
  expect(text).toContain('holodeck_turn_duration_seconds_bucket{agent="helper",status="completed",le="0.25"} 1');
  expect(text).toContain('gen_ai_client_token_usage_total{agent="helper",gen_ai_token_type="input"} 7');
  expect(text).not.toContain(session_id);
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
  const statusFor = (host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      get({ port, path: '/metrics', headers: { host } }, (answer) => resolve(answer.resume().statusCode)).on(
        'error',
        reject,
      );
    });
  const hosts = ['evil.example', `evil.example:${port}`, 'metrics.example', `10.0.0.7:${port}`, `[fd00::7]:${port}`];
  expect(await Promise.all(hosts.map(statusFor))).toEqual([403, 403, 200, 200, 200]);
});
