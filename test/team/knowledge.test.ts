import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../runtime.ts';
import { delegateTo, handBack, handOver, openTeam, send } from './team.ts';

const LEAVE = '# Leave\n\n## Entitlement\n\nEvery employee gets 25 days of paid leave a year.\n';
const QUESTION = 'How many days of paid leave does every employee get?';
const GOOD = 'Every employee gets 25 days of paid leave a year [p1].';
const BONUS = 'The bonus is 9000 euros a year.';

/** The parts of an agent that answers from the rules. */
function withRules(text = LEAVE) {
  const home = temporaryFolder();
  writeFileSync(join(home, 'leave.md'), text);
  return { home, parts: { knowledge: { rules: { source: './leave.md', watch: false } } } };
}

describe('an agent that is handed a question', () => {
  const ask = async (message: string, text: string, first = {}) => {
    const { runtime, model } = await openTeam({
      handoffs: ['expert'],
      members: { expert: withRules() },
      script: { lead: () => ({ calls: [handOver('expert', 'rules')] }), 'lead/expert': () => text },
      ...first,
    });
    return { ...(await send(runtime, message)), model };
  };

  it('searches before its first reply, and its sentences are checked', async () => {
    const { result, model } = await ask(QUESTION, `${GOOD} The bonus is 9000 euros [p1].`);
    expect(result.tool_calls.map(({ name }) => name)).toEqual(['hand_over_to_expert', 'search_rules']);
    expect(result).toMatchObject({ agent: 'expert', confidence: 'medium', citations: [{ id: 'p1' }] });
    expect(model.requests.at(-1)?.messages[0]?.content).toContain('search_rules was called for this message');
  });

  it('refuses what no passage supports', async () => {
    const { result, events } = await ask('Who is the president of the Mars colony?', 'It is Bob, since 2020.');
    expect(result.content).toContain('could not find');
    expect(JSON.stringify(events.filter(({ type }) => type === 'text-delta'))).not.toContain('Bob');
  });

  it('searches documents of its own, also if those of the agent before it have the same name', async () => {
    const { result } = await ask(QUESTION, GOOD, withRules('# Dogs\n\nDogs are forbidden.\n'));
    expect(result.tool_calls.map(({ name }) => name)).toEqual(['search_rules', 'hand_over_to_expert', 'search_rules']);
    expect(result).toMatchObject({ content: GOOD, confidence: 'high' });
  });

  it('searches once, however often it gets the question', async () => {
    const script = {
      lead: (_: number, { messages }: { messages: readonly { content: string }[] }) =>
        JSON.stringify(messages).includes('expert handed') ? GOOD : { calls: [handOver('expert', 'rules')] },
      'lead/expert': () => ({ calls: [handBack('not mine')] }),
    };
    const { result } = await ask(QUESTION, '', { ...withRules(), members: { expert: {} }, script });
    expect(result.tool_calls.map(({ name }) => name)).toEqual(['search_rules', 'hand_over_to_expert', 'hand_back']);
    expect(result).toMatchObject({ agent: 'lead', content: GOOD });
  });
});

describe('the answer of a member', () => {
  const ask = async (member: 'writer' | 'expert', text: string, answer: string) => {
    const { runtime, model } = await openTeam({
      ...withRules(),
      sub_agents: ['writer', 'expert'],
      members: { writer: {}, expert: withRules() },
      script: {
        lead: (step) => (step === 0 ? { calls: [delegateTo(member, QUESTION)] } : answer),
        'lead/writer': () => text,
        'lead/expert': () => text,
      },
    });
    const { result } = await send(runtime, QUESTION);
    const read = model.requests.at(-1)?.messages.findLast(({ role }) => role === 'tool')?.content;
    return { result, read: JSON.parse(read ?? '') };
  };

  it('is no evidence if the member made it up', async () => {
    const { result, read } = await ask('writer', BONUS, `${GOOD} ${BONUS}`);
    expect(read).toEqual({ answer: BONUS });
    expect(result).toMatchObject({ confidence: 'medium' });
    expect(result.checks).toMatchObject([{ found: true }, { text: BONUS, found: false }]);
  });

  it('says what its member could not support, and no answer with it is surer', async () => {
    const said = 'The bonus is 9000 euros [p1]. The pension is 5000 euros [p1].';
    const { result, read } = await ask('expert', said, GOOD);
    expect(read).toMatchObject({
      confidence: 'low',
      unsupported: [expect.stringContaining('9000'), expect.stringContaining('5000')],
    });
    expect(result).toMatchObject({ content: GOOD, confidence: 'low' });
  });

  it('is evidence if the member found all of it', async () => {
    const { result, read } = await ask('expert', GOOD, GOOD);
    expect(read).toMatchObject({ answer: GOOD, confidence: 'high' });
    expect(result).toMatchObject({ content: GOOD, confidence: 'high' });
  });
});
