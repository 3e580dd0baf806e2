import { describe, expect, it, onTestFinished } from 'vitest';
import { createRuntime, runAgent, type TextCheck } from '../src/index.ts';
import { createScriptedModel } from '../src/models/scripted.ts';
import { ALICE, buildAgent } from './build.ts';
import { collect, temporaryFolder } from './runtime.ts';

const noCards: TextCheck = (text) => (/\b\d{16}\b/.test(text) ? 'must not hold a card number' : undefined);
const card = 'Charge 4111111111111111';
const refusal = {
  code: 'invalid_request',
  problems: [{ path: 'message', message: 'must not hold a card number' }],
};

describe('textChecks', () => {
  it('of createRuntime refuse a message before anything of it is stored', async () => {
    const model = createScriptedModel(['Hello.']);
    const options = { agents: [buildAgent()], folder: temporaryFolder(), model, textChecks: [noCards] };
    const runtime = await createRuntime(options);
    onTestFinished(() => runtime.stop());
    const agent = runtime.agents[0]?.name ?? '';
    await expect(runtime.chat(ALICE, { agent, message: card })).rejects.toMatchObject(refusal);
    expect(await runtime.listConversations(ALICE, { limit: 10 })).toEqual([]);
    await expect(runtime.chat(ALICE, { agent, message: ' ' })).rejects.toMatchObject({ code: 'invalid_request' });
    await collect(await runtime.chat(ALICE, { agent, message: 'Hi' }));
    expect(model.requests).toHaveLength(1);
  });

  it('of runAgent refuse its message', async () => {
    const model = createScriptedModel(['Hello.']);
    const agent = buildAgent();
    const turn = runAgent({
      agent,
      user: ALICE,
      message: card,
      model,
      folder: temporaryFolder(),
      textChecks: [noCards],
    });
    await expect(turn.next()).rejects.toMatchObject(refusal);
    expect(model.requests).toHaveLength(0);
  });
});
