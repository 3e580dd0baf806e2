import { setTimeout as delay } from 'node:timers/promises';
import { get } from '../client.ts';
import { FRONTS } from './fronts.ts';
import type { Load } from './load.ts';

export interface Checked {
  /** Turns that were acknowledged and are not in the store, or lack their answer. */
  lost: string[];
  /** Ids that the counting tool counted more than once. */
  doubled: string[];
  /** Conversations that have an open turn or take no message. */
  stuck: string[];
}

interface CheckOptions {
  url: string;
  token: string;
  load: Load;
  effects: readonly string[];
  settleMs: number;
}

interface Turns {
  turns: { status: string; user_message?: { content: string }; result?: { content: string } }[];
}

/** Compares what was acknowledged with what is stored, and the tool's effects with each other. */
export async function check({ url, token, load, effects, settleMs }: CheckOptions): Promise<Checked> {
  const checked: Checked = { lost: [], doubled: [], stuck: [] };
  const bySession = Map.groupBy(load.acknowledged, ({ session }) => session);
  for (const [session, turns] of bySession) {
    const stored = await readTurns(url, token, session);
    for (const { id } of turns) {
      const turn = stored.find(({ user_message }) => user_message?.content === `count ${id}`);
      if (turn?.status !== 'completed' || !turn.result?.content) checked.lost.push(id);
    }
    if (stored.some(({ status }) => status === 'running' || status === 'waiting')) checked.stuck.push(session);
    else if (!(await takesMessage({ url, token, session, settleMs }))) checked.stuck.push(session);
  }
  const seen = new Set<string>();
  for (const id of effects) {
    if (seen.has(id)) checked.doubled.push(id);
    seen.add(id);
  }
  return checked;
}

async function readTurns(url: string, token: string, session: string): Promise<Turns['turns']> {
  const path = `/sessions/${session}/turns?limit=100`;
  for (let tries = 1; ; tries++) {
    try {
      return (await get<Turns>(url, path, token)).turns;
    } catch (error) {
      if (tries === 10) throw error;
      await delay(500);
    }
  }
}

async function takesMessage(of: { url: string; token: string; session: string; settleMs: number }): Promise<boolean> {
  const { url, token, session, settleMs } = of;
  const call = { url, token, key: `last-${session}`, message: 'hello', place: session, timeoutMs: 20_000 };
  const until = performance.now() + settleMs;
  while (performance.now() < until) {
    const answer = await FRONTS.rest(call).catch(() => undefined);
    if (answer?.status === 'completed') return true;
    await delay(200);
  }
  return false;
}
