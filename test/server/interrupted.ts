import { expect } from 'vitest';
import type { ScriptedReply } from '../../src/models/scripted.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { temporaryFolder } from '../runtime.ts';
import { openServer } from './server.ts';

interface InterruptedScene {
  /** Replies of the process that stops in mid-answer; the last one hangs. */
  replies: ScriptedReply[];
  /** Replies of the next process. */
  later: ScriptedReply[];
  tools?: Tool[];
  agent?: Record<string, unknown>;
}

/** A turn whose process stopped in mid-answer, seen from the next server. */
export async function openInterrupted({ replies, later, tools, agent }: InterruptedScene) {
  const folder = temporaryFolder();
  const scene = { folder, ...(tools && { tools }), ...(agent && { agent }) };
  const before = await openServer({ ...scene, replies });
  const body = { threadId: 't', runId: 'run 1', messages: [{ id: 'm 1', role: 'user', content: 'hello' }] };
  const accepted = await before.call('POST /awp', { body, headers: { prefer: 'respond-async' } });
  const { session_id } = (await accepted.json()) as { session_id: string }; // the shape of a 202
  await expect.poll(() => before.model.requests.length).toBe(replies.length);
  await before.runtime.stop();
  const after = await openServer({ ...scene, replies: later });
  return { ...after, id: session_id };
}
