import { expect, it } from 'vitest';
import type { ServerState } from '../schema/server.ts';
import { createServerState } from './server-state.ts';

it('goes from initializing to stopped, and never back', () => {
  const seen: ServerState[] = [];
  const state = createServerState((entered) => seen.push(entered));
  for (const next of ['ready', 'running', 'shutting_down', 'stopped'] as const) state.enter(next);
  expect(seen).toEqual(['initializing', 'ready', 'running', 'shutting_down', 'stopped']);
  expect(() => state.enter('running')).toThrow('cannot become running');
});

it('stops without having run if the port is not available', () => {
  const state = createServerState();
  state.enter('ready');
  state.enter('stopped');
  expect(state.current()).toBe('stopped');
});
