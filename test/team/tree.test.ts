import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/errors.ts';
import type { Event } from '../../src/schema/conversation/event.ts';
import { ALICE, BOB, buildTool } from '../build.ts';
import { collect } from '../runtime.ts';
import { answer, delegateTo, openTeam, send } from './team.ts';

const REFUND = () => buildTool({ name: 'refund', needsApproval: true, run: () => 'refunded' });

/** A team of two levels, whose lowest member wants to call `refund`. */
function refundTeam(more: Partial<Parameters<typeof openTeam>[0]> = {}) {
  return openTeam({
    sub_agents: ['desk'],
    members: { desk: { sub_agents: ['till'], members: { till: {} } } },
    tools: [REFUND()],
    script: {
      lead: (step) => (step === 0 ? { calls: [delegateTo('desk', 'Refund 7.')] } : 'All done.'),
      'lead/desk': (step) => (step === 0 ? { calls: [delegateTo('till', 'Pay 7.')] } : 'Paid.'),
      'lead/desk/till': (step) => (step === 0 ? { calls: [{ name: 'refund' }] } : 'Counted.'),
    },
    ...more,
  });
}

describe('a tree of two levels', () => {
  it('passes an approval down, also after a restart', async () => {
    const first = await refundTeam();
    const { result, conversationId } = await send(first.runtime, 'Refund order 7');
    expect(result.asked).toMatchObject([{ tool: 'refund', agent: 'till' }]);
    await first.runtime.stop();
    const { runtime } = await refundTeam({ folder: first.folder });
    const id = result.asked?.[0]?.call_id ?? '';
    const second = await answer(runtime, conversationId, [{ call_id: id, approved: true }]);
    expect(second.result).toMatchObject({ status: 'completed', content: 'All done.' });
    expect(second.result.delegations).toMatchObject([{ agent: 'desk', status: 'completed', delegations: 1 }]);
    const audit = await runtime.readAudit(ALICE, { limit: 20 });
    expect(audit.filter(({ action }) => action === 'approval').map(({ tool }) => tool)).toEqual(['refund']);
  });

  it('whose member is gone from the file ends as unknown: nobody knows how far it came', async () => {
    const first = await refundTeam();
    const { result, conversationId } = await send(first.runtime, 'Refund order 7');
    await first.runtime.stop();
    const { runtime } = await refundTeam({ folder: first.folder, sub_agents: [], members: {} });
    const answers = [{ call_id: result.asked?.[0]?.call_id ?? '', approved: true }];
    const second = await answer(runtime, conversationId, answers);
    expect(second.result).toMatchObject({ status: 'completed', content: 'All done.' });
    expect(second.result.tool_calls).toMatchObject([{ state: 'unknown', delegation: { status: 'cancelled' } }]);
    const [call] = second.result.tool_calls;
    expect(call?.error?.message).toContain('Whether it took effect is not known.');
  });

  it('passes a denial down with its reason', async () => {
    const { runtime, model } = await refundTeam();
    const { result, conversationId } = await send(runtime, 'Refund order 7');
    const id = result.asked?.[0]?.call_id ?? '';
    const turn = await runtime.answer(ALICE, {
      conversationId,
      answers: [{ call_id: id, approved: false, reason: 'no' }],
    });
    expect((await collect(turn)).at(-1)).toMatchObject({ type: 'turn-end', result: { status: 'completed' } });
    const till = model.requests.findLast(({ system }) => system.startsWith('lead/desk/till'));
    expect(till?.messages.at(-1)?.content).toContain('did not allow this call: no');
  });

  it('refuses an answer for a call that does not wait', async () => {
    const { runtime } = await refundTeam();
    const { conversationId } = await send(runtime, 'Refund order 7');
    const wrong = runtime.answer(ALICE, { conversationId, answers: [{ call_id: 'other', approved: true }] });
    await expect(wrong).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('is cancelled from its leaves while it waits', async () => {
    const { runtime } = await refundTeam();
    const { conversationId, turnId } = await send(runtime, 'Refund order 7');
    expect(await runtime.cancel(ALICE, conversationId)).toBe(true);
    const turns = await turnsOf(runtime, turnId);
    expect(turns.map((turn) => turn?.status)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    const call = (await runtime.readEvents(ALICE, turnId)).find((event) => event.type === 'tool-call-end');
    expect(call).toMatchObject({ call: { state: 'failed', error: { message: expect.stringContaining('cancelled') } } });
  });

  it('is cancelled from its leaves while it works', async () => {
    const started = Promise.withResolvers<void>();
    const slow = buildTool({
      name: 'refund',
      run: async () => {
        started.resolve();
        await new Promise(() => {});
        return null;
      },
    });
    const { runtime } = await refundTeam({ tools: [slow] });
    const turn = await runtime.chat(ALICE, { agent: 'lead', message: 'Refund order 7' });
    await started.promise;
    expect(await runtime.cancel(ALICE, turn.conversationId)).toBe(true);
    const turns = await turnsOf(runtime, turn.turnId);
    expect(turns.map((one) => one?.status)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    const leaf = await runtime.readEvents(ALICE, turns[2]?.id ?? '');
    expect(leaf.find(({ type }) => type === 'tool-call-end')).toMatchObject({ call: { state: 'unknown' } });
  });

  it('is deleted with its conversation, and is read-only for everybody before', async () => {
    const { runtime } = await refundTeam();
    const { conversationId, turnId } = await send(runtime, 'Refund order 7');
    const turns = await turnsOf(runtime, turnId);
    const child = turns[1]?.conversation_id ?? '';
    const tries = [
      () => runtime.chat(ALICE, { agent: 'lead', message: 'hello', conversationId: child }),
      () => runtime.answer(ALICE, { conversationId: child, answers: [] }),
      () => runtime.continueInterrupted(ALICE, { conversationId: child }),
      () => runtime.cancel(ALICE, child),
      () => runtime.deleteConversation(ALICE, child),
      () => runtime.updateConversation(ALICE, child, { title: 'mine' }),
      () => runtime.setFeedback(ALICE, child, { messageId: turnId, rating: 'up' }),
    ];
    for (const change of tries) await expect(change()).rejects.toMatchObject({ code: 'belongs_to_turn' });
    expect(await runtime.deleteConversation(ALICE, conversationId)).toBe(true);
    expect(await Promise.all(turns.map((turn) => runtime.readTurn(ALICE, turn?.id ?? '')))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('looks to another user as if it were not there', async () => {
    const { runtime } = await refundTeam();
    const { result, turnId, conversationId } = await send(runtime, 'Refund order 7');
    const turns = await turnsOf(runtime, turnId);
    for (const turn of turns) {
      const id = turn?.conversation_id ?? '';
      expect(await runtime.readConversation(BOB, id)).toBeUndefined();
      expect(await runtime.readEvents(BOB, turn?.id ?? '')).toEqual([]);
      const input = { conversationId: id, turnId: turn?.id ?? '', withPrompts: false };
      await expect(runtime.readTrace(BOB, input)).rejects.toMatchObject({ code: 'conversation_not_found' });
      expect(await runtime.cancel(BOB, id)).toBe(false);
      expect(await runtime.deleteConversation(BOB, id)).toBe(false);
    }
    const call_id = result.asked?.[0]?.call_id ?? '';
    const stolen = runtime.answer(BOB, { conversationId, answers: [{ call_id, approved: true }] });
    await expect(stolen).rejects.toMatchObject({ code: 'conversation_not_found' });
  });
});

describe('an effect of a member that has no answer', () => {
  const pay = () => ({ calls: [{ name: 'pay' }] });
  const down = () => {
    throw new AppError('model_unavailable', { detail: 'The provider is away.' });
  };
  const levels = {
    'of the first level': {
      members: { desk: {} },
      script: { 'lead/desk': (step: number) => (step === 0 ? pay() : down()) },
      reason: /^desk failed after pay ran: /,
    },
    'of the second level': {
      members: { desk: { sub_agents: ['till'], members: { till: {} } } },
      script: {
        'lead/desk': (step: number) => (step === 0 ? { calls: [delegateTo('till', 'Pay 7.')] } : down()),
        'lead/desk/till': (step: number) => (step === 0 ? pay() : down()),
      },
      reason: /^desk failed after delegate_to_till may have run: /,
    },
  };

  it.each(Object.entries(levels))('%s: the model reads it, and no other answer repeats it', async (_, level) => {
    const ran: string[] = [];
    const { members, script, reason } = level;
    const lead = (step: number) => (step === 0 ? { calls: [delegateTo('desk', 'Pay 7.')] } : 'Not sure.');
    const tools = [buildTool({ name: 'pay', run: () => ran.push('pay') })];
    const { runtime, model } = await openTeam({ sub_agents: ['desk'], members, tools, script: { ...script, lead } });
    const first = await send(runtime, 'Pay order 7', { clientId: 'm1' });
    const message = expect.stringMatching(reason);
    expect(first.result.tool_calls).toMatchObject([{ state: 'unknown', error: { message } }]);
    expect(model.requests.at(-1)?.messages.at(-1)?.content).toMatch(/ after \w+ (?:ran|may have run)/);
    const again = await send(runtime, 'Pay order 7', { conversationId: first.conversationId, clientId: 'm1' });
    expect(again.turnId).not.toBe(first.turnId);
    expect(again.result.tool_calls[0]).toMatchObject({ state: 'unknown', repeats: first.result.tool_calls[0]?.id });
    expect(ran).toEqual(['pay']);
  });

  it('is known when the turn is cancelled after it', async () => {
    const ran: string[] = [];
    const paid = Promise.withResolvers<void>();
    const hang = () => {
      paid.resolve();
      return { hang: true };
    };
    const { runtime } = await openTeam({
      sub_agents: ['desk'],
      members: { desk: {} },
      tools: [buildTool({ name: 'pay', run: () => ran.push('pay') })],
      script: {
        lead: (step) => (step === 0 ? { calls: [delegateTo('desk', 'Pay 7.')] } : 'Done.'),
        'lead/desk': (step) => (step === 0 ? pay() : hang()),
      },
    });
    const input = { agent: 'lead', message: 'Pay order 7', clientId: 'm1' };
    const turn = await runtime.chat(ALICE, input);
    const events = collect(turn);
    await paid.promise;
    await runtime.cancel(ALICE, turn.conversationId);
    const end = (await events).find((event) => event.type === 'tool-call-end');
    const message = 'desk was cancelled while it worked after pay ran.';
    expect(end).toMatchObject({ call: { state: 'unknown', error: { message } } });
    const again = await send(runtime, 'Pay order 7', { conversationId: turn.conversationId, clientId: 'm1' });
    expect(again.result).toMatchObject({ status: 'completed', content: 'Done.' });
    expect(ran).toEqual(['pay']);
  });
});

describe('the limits of a tree', () => {
  it('count every delegation, and the model reads that none is left', async () => {
    const team = buildLimited({ delegations: 2 });
    const { runtime, model } = await openTeam(team);
    const { result } = await send(runtime, 'Check');
    expect(result.tool_calls.map(({ state }) => state)).toEqual(['completed', 'completed', 'failed']);
    expect(model.requests.at(-1)?.messages.at(-1)?.content).toContain('may use 2 delegations');
  });

  it('allow no more levels than `depth`', async () => {
    const { runtime, model } = await refundTeam({ team_limits: { depth: 1 } });
    const { result } = await send(runtime, 'Refund order 7');
    expect(result).toMatchObject({ status: 'completed', content: 'All done.' });
    const desk = model.requests.findLast(({ system }) => system.startsWith('lead/desk'));
    expect(desk?.messages.at(-1)?.content).toContain('at most 1 levels deep');
  });

  it('give a member a part of the time, so that its team still answers', async () => {
    const { runtime } = await openTeam({
      sub_agents: ['checker'],
      members: { checker: {} },
      parts: { loop: { answer_timeout_seconds: 1.5 } },
      script: {
        lead: (step) => (step === 0 ? { calls: [delegateTo('checker', 'Think for ever.')] } : 'It took too long.'),
        'lead/checker': () => ({ hang: true }),
      },
    });
    const { result } = await send(runtime, 'Check');
    expect(result).toMatchObject({ status: 'completed', content: 'It took too long.' });
    const [call] = result.tool_calls;
    expect(call).toMatchObject({ state: 'failed', delegation: { status: 'error' } });
    expect(call?.error?.message).toContain('checker failed');
  });

  it('take no second place: a user with one place has a team', async () => {
    const { runtime } = await openTeam({ ...buildLimited({}), parts: { server: { max_active_turns: 1 } } });
    const { result } = await send(runtime, 'Check');
    expect(result.tool_calls.every(({ state }) => state === 'completed')).toBe(true);
    expect(runtime.activeTurns).toBe(0);
  });

  it('add up the tokens of the tree', async () => {
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    const { runtime } = await openTeam({
      sub_agents: ['checker'],
      members: { checker: {} },
      script: {
        lead: (step) => ({ usage, ...(step === 0 ? { calls: [delegateTo('checker', 'x')] } : { text: 'Done.' }) }),
        'lead/checker': () => ({ usage, text: 'Fine.' }),
      },
    });
    const { result } = await send(runtime, 'Check');
    expect(result.tokens_used?.total_tokens).toBe(45);
    expect(result.delegations?.[0]?.tokens_used?.total_tokens).toBe(15);
  });
});

it('a question of a member is answered as one of the call', async () => {
  const asks = buildTool({ name: 'pick', run: async (_, context) => context.ask({ text: 'Which one?' }) });
  const { runtime } = await openTeam({
    sub_agents: ['checker'],
    members: { checker: {} },
    tools: [asks],
    script: {
      lead: (step) => (step === 0 ? { calls: [delegateTo('checker', 'Pick.')] } : 'Picked.'),
      'lead/checker': (step, request) =>
        step === 0 ? { calls: [{ name: 'pick' }] } : `It is ${request.messages.at(-1)?.content}.`,
    },
  });
  const turn = await runtime.chat(ALICE, { agent: 'lead', message: 'Pick one', keepsGoing: true });
  const seen: Event[] = [];
  for await (const event of turn.events) {
    seen.push(event);
    if (event.type !== 'turn-wait') continue;
    expect(event.result.question).toMatchObject({ message: 'Which one?' });
    const call_id = event.result.question?.call_id ?? '';
    await runtime.answer(ALICE, { conversationId: turn.conversationId, answers: [{ call_id, result: 'the red one' }] });
  }
  const end = seen.at(-1);
  expect(end).toMatchObject({ type: 'turn-end', result: { status: 'completed', content: 'Picked.' } });
  const [call] = end?.type === 'turn-end' ? end.result.tool_calls : [];
  expect(call?.result).toEqual({ answer: 'It is the red one.' });
});

function buildLimited(team_limits: { delegations?: number }): Parameters<typeof openTeam>[0] {
  return {
    sub_agents: ['checker'],
    members: { checker: {} },
    team_limits,
    script: {
      lead: (step) =>
        step === 0 ? { calls: [1, 2, 3].map((number) => delegateTo('checker', `Check ${number}.`)) } : 'Done.',
      'lead/checker': () => 'Fine.',
    },
  };
}

/** The turn and the first one below it, down to the leaf. */
async function turnsOf(runtime: Awaited<ReturnType<typeof openTeam>>['runtime'], turnId: string) {
  const turns = [await runtime.readTurn(ALICE, turnId)];
  for (const turn of turns) {
    const events = await runtime.readEvents(ALICE, turn?.id ?? '');
    const below = events.find((event) => event.type === 'delegation');
    if (below?.type === 'delegation') turns.push(await runtime.readTurn(ALICE, below.turn_id));
  }
  return turns;
}
