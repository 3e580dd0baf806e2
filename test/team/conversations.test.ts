import { describe, expect, it } from 'vitest';
import { FRONT_NAMES, openScene, playTalk, type Step } from './talk.ts';

/**
 * Conversations with a team. A message says what each agent does with it, step by step: `>` hands over, `<` hands back,
 * `+` delegates, `slow` calls `look` when a member's time is nearly over, `read` repeats a result, `&` puts calls into
 * one reply, and after `/` come the steps of the next time that the agent has the message. `seen` is who speaks and what
 * a person reads, or what is asked.
 */
interface Row {
  name: string;
  steps: Step[];
  seen: string[];
  ran?: string[];
}

const HANDS_OVER = { say: 'lead: >billing; billing: Hello' };

const ROWS: Row[] = [
  { name: 'the first agent answers', steps: [{ say: 'lead: Hi' }], seen: ['lead: Hi'] },
  { name: 'a member answers the message that it gets', steps: [HANDS_OVER], seen: ['billing: Hello'] },
  {
    name: 'the next messages go to the member',
    steps: [HANDS_OVER, { say: 'And?' }, { say: 'And then?' }],
    seen: ['billing: Hello', 'billing: billing is here', 'billing: billing is here'],
  },
  {
    name: 'a member hands back within the message',
    steps: [{ say: 'lead: >billing / Mine; billing: <' }],
    seen: ['lead: Mine'],
  },
  {
    name: 'after that the next message goes to the first agent',
    steps: [{ say: 'lead: >billing / Mine; billing: <' }, { say: 'And?' }],
    seen: ['lead: Mine', 'lead: lead is here'],
  },
  {
    name: 'a member hands a later message back',
    steps: [HANDS_OVER, { say: 'billing: <; lead: Back' }, { say: 'And?' }],
    seen: ['billing: Hello', 'lead: Back', 'lead: lead is here'],
  },
  {
    name: 'ping-pong ends: after as many hand-overs as the team has agents, the one that has the message answers',
    steps: [{ say: 'lead: >billing / >billing / >billing, Enough; billing: < / < / <' }],
    seen: ['lead: Enough'],
  },
  {
    name: 'the limit of hand-overs counts for one message',
    steps: [{ say: 'lead: >billing / >billing / >billing, Enough; billing: < / < / <' }, HANDS_OVER],
    seen: ['lead: Enough', 'billing: Hello'],
  },
  {
    name: 'a hand-over beside another call is refused, and the call runs',
    steps: [{ say: 'lead: >billing & note, Done' }],
    seen: ['lead: Done'],
    ran: ['note'],
  },
  {
    name: 'two hand-overs in one reply are refused',
    steps: [{ say: 'lead: >billing & >sales, Mine' }],
    seen: ['lead: Mine'],
  },
  {
    name: 'a refused hand-over can be made alone',
    steps: [{ say: 'lead: look & >billing, >billing; billing: Hello' }],
    seen: ['billing: Hello'],
    ran: ['look'],
  },
  {
    name: 'a hand-back beside another call is refused',
    steps: [HANDS_OVER, { say: 'billing: < & note, Stayed' }],
    seen: ['billing: Hello', 'billing: Stayed'],
    ran: ['note'],
  },
  {
    name: 'a hand-over beside a delegation is refused, and the member works',
    steps: [{ say: 'lead: >billing & +checker, Done; checker: note, Checked' }],
    seen: ['lead: Done'],
    ran: ['note'],
  },
  {
    name: 'a hand-over beside a call that asks waits for the answer, and is refused',
    steps: [{ say: 'lead: >billing & refund, Done' }, 'allow'],
    seen: ['? refund', 'lead: Done'],
    ran: ['refund'],
  },
  {
    name: 'words beside a hand-over are those of the agent that leaves',
    steps: [{ say: 'lead: One moment & >billing; billing: Hello' }],
    seen: ['billing: Hello'],
  },
  {
    name: 'one member after another gets the conversation',
    steps: [HANDS_OVER, { say: 'billing: <; lead: >sales; sales: Welcome' }, { say: 'And?' }],
    seen: ['billing: Hello', 'sales: Welcome', 'sales: sales is here'],
  },
  {
    name: 'a member hands over to a member of its own team, which has the conversation then',
    steps: [{ say: 'lead: >sales; sales: >north; north: Here' }, { say: 'And?' }],
    seen: ['north: Here', 'north: north is here'],
  },
  {
    name: 'a member of a member hands back to the first agent',
    steps: [{ say: 'lead: >sales; sales: >north; north: Here' }, { say: 'north: <; lead: Back' }],
    seen: ['north: Here', 'lead: Back'],
  },
  {
    name: 'a member cannot hand over to the members of another one',
    steps: [{ say: 'lead: >billing; billing: >north, Mine' }],
    seen: ['billing: Mine'],
  },
  {
    name: 'a hand-over to nobody is an error that the agent reads',
    steps: [{ say: 'lead: >nobody, Mine' }],
    seen: ['lead: Mine'],
  },
  {
    name: 'a hand-over needs a reason',
    steps: [{ say: 'lead: >billing!, Mine' }],
    seen: ['lead: Mine'],
  },
  {
    name: 'the tools of the member run, those of the first agent have run',
    steps: [{ say: 'lead: note, >billing; billing: look, Hello' }],
    seen: ['billing: Hello'],
    ran: ['note', 'look'],
  },
  {
    name: 'the member asks for an approval',
    steps: [{ say: 'lead: >billing; billing: refund, Paid' }, 'allow', { say: 'And?' }],
    seen: ['? refund', 'billing: Paid', 'billing: billing is here'],
    ran: ['refund'],
  },
  {
    name: 'the approval of a member is denied',
    steps: [{ say: 'lead: >billing; billing: refund, Not paid' }, 'deny', { say: 'And?' }],
    seen: ['? refund', 'billing: Not paid', 'billing: billing is here'],
  },
  {
    name: 'the approval of a member is given after a restart',
    steps: [{ say: 'lead: >billing; billing: refund, Paid' }, 'restart', 'allow', { say: 'And?' }],
    seen: ['? refund', 'billing: Paid', 'billing: billing is here'],
    ran: ['refund'],
  },
  {
    name: 'a member hands back after an approval',
    steps: [{ say: 'lead: >billing / Done; billing: refund, <' }, 'allow', { say: 'And?' }],
    seen: ['? refund', 'lead: Done', 'lead: lead is here'],
    ran: ['refund'],
  },
  {
    name: 'the member that has the conversation delegates',
    steps: [{ say: 'lead: >billing; billing: +clerk, Filed; clerk: note, Noted' }, { say: 'And?' }],
    seen: ['billing: Filed', 'billing: billing is here'],
    ran: ['note'],
  },
  {
    name: 'a child asks for an approval after a restart',
    steps: [{ say: 'lead: +checker, Done; checker: refund, Paid' }, 'restart', 'allow'],
    seen: ['? checker: refund', 'lead: Done'],
    ran: ['refund'],
  },
  {
    name: 'a child of the member asks for an approval after a restart',
    steps: [{ say: 'lead: >billing; billing: +clerk, Done; clerk: refund, Paid' }, 'restart', 'allow', { say: 'And?' }],
    seen: ['? clerk: refund', 'billing: Done', 'billing: billing is here'],
    ran: ['refund'],
  },
  {
    name: 'a child is cancelled with its team, and the next message goes to who had the conversation',
    steps: [HANDS_OVER, { stop: 'billing: +clerk; clerk: note, hang' }, { say: 'And?' }],
    seen: ['billing: Hello', 'stopped', 'billing: billing is here'],
    ran: ['note'],
  },
  {
    name: 'a cancelled child of the first agent moves nothing',
    steps: [{ stop: 'lead: +checker; checker: hang' }, { say: 'And?' }],
    seen: ['stopped', 'lead: lead is here'],
  },
  {
    name: 'a message that is cancelled right after its hand-over stays with the member',
    steps: [{ stop: 'lead: >billing; billing: hang' }, { say: 'And?' }],
    seen: ['stopped', 'billing: billing is here'],
  },
  {
    name: 'a cancelled message without a word changes nothing',
    steps: [HANDS_OVER, { stop: 'billing: hang' }, { say: 'And?' }],
    seen: ['billing: Hello', 'stopped', 'billing: billing is here'],
  },
  {
    name: 'a child at its limit of steps sums up',
    steps: [{ say: 'lead: +checker, Done; checker: look, look, look, look' }],
    seen: ['lead: Done'],
    ran: ['look', 'look', 'look'],
  },
  {
    name: 'a child at its limit of time sums up, and its team answers with that',
    steps: [{ say: 'lead: +checker, read; checker: slow, look' }, { say: 'And?' }],
    seen: ['lead: {"answer":"checker sums up","finish_reason":"deadline"}', 'lead: lead is here'],
  },
  {
    name: 'hand-overs do not renew the pot of delegations',
    steps: [{ say: 'lead: +checker, +checker, >billing; billing: +clerk, Done; clerk: note; checker: look, Good' }],
    seen: ['billing: Done'],
    ran: ['look', 'look'],
  },
  {
    name: 'the message of a hand-over is answered again by the first agent',
    steps: [{ say: 'lead: note, >billing; billing: Hello' }, { say: 'And?' }, { again: 0 }, { say: 'And then?' }],
    seen: ['billing: Hello', 'billing: billing is here', 'billing: Hello', 'billing: billing is here'],
    ran: ['note'],
  },
  {
    name: 'a finished delegation is not repeated when its message is answered again',
    steps: [{ say: 'lead: +checker, Done; checker: note, Noted' }, { again: 0 }],
    seen: ['lead: Done', 'lead: Done'],
    ran: ['note'],
  },
  {
    name: 'a delegation that only read is made again with its message',
    steps: [{ say: 'lead: +checker, Done; checker: look, Seen' }, { again: 0 }],
    seen: ['lead: Done', 'lead: Done'],
    ran: ['look', 'look'],
  },
  {
    name: 'an approval in a child is denied, and its team goes on',
    steps: [{ say: 'lead: +checker, Done; checker: refund, Not paid' }, 'restart', 'deny', { say: 'And?' }],
    seen: ['? checker: refund', 'lead: Done', 'lead: lead is here'],
  },
  {
    name: 'two children ask one after the other, with a restart between them',
    steps: [{ say: 'lead: +checker, +checker, Done; checker: refund, Paid' }, 'allow', 'restart', 'deny'],
    seen: ['? checker: refund', '? checker: refund', 'lead: Done'],
    ran: ['refund'],
  },
  {
    name: 'a message after a hand-over is answered again by the member',
    steps: [HANDS_OVER, { say: 'billing: note, Noted' }, { again: 1 }, { say: 'And?' }],
    seen: ['billing: Hello', 'billing: Noted', 'billing: Noted', 'billing: billing is here'],
    ran: ['note'],
  },
  {
    name: 'an edited message without its hand-over leaves the branch to the first agent',
    steps: [HANDS_OVER, { say: 'And?' }, { edit: [0, 'lead: Hi'] }, { say: 'And then?' }],
    seen: ['billing: Hello', 'billing: billing is here', 'lead: Hi', 'lead: lead is here'],
  },
  {
    name: 'an edited message before a hand-back keeps the member',
    steps: [HANDS_OVER, { say: 'billing: <; lead: Back' }, { edit: [1, 'billing: Stays'] }, { say: 'And?' }],
    seen: ['billing: Hello', 'lead: Back', 'billing: Stays', 'billing: billing is here'],
  },
  {
    name: 'a message can be edited into another hand-over',
    steps: [HANDS_OVER, { edit: [0, 'lead: >sales; sales: Welcome'] }, 'restart', { say: 'And?' }],
    seen: ['billing: Hello', 'sales: Welcome', 'sales: sales is here'],
  },
  {
    name: 'a restart between two messages changes nothing',
    steps: [HANDS_OVER, 'restart', { say: 'And?' }],
    seen: ['billing: Hello', 'billing: billing is here'],
  },
];

it('are at least forty, each with a name of its own', () => {
  expect(ROWS.length).toBeGreaterThanOrEqual(40);
  expect(new Set(ROWS.map(({ name }) => name)).size).toBe(ROWS.length);
});

describe.each(FRONT_NAMES)('through %s', (front) => {
  const [restarting, others] = [ROWS.filter(isRestarting), ROWS.filter((row) => !isRestarting(row))];

  it(`${others.length} conversations, one after the other on one server, go as written`, async () => {
    const scene = await openScene();
    const played = [];
    for (const { name, steps } of others) played.push({ name, ...(await playTalk(front, steps, scene)) });
    expect(played).toEqual(others.map(({ name, seen, ran = [] }) => ({ name, seen, ran })));
  });

  it.each(restarting.map((row) => [row.name, row] as const))('%s', async (_, { steps, seen, ran = [] }) => {
    expect(await playTalk(front, steps, await openScene())).toEqual({ seen, ran });
  });
});

function isRestarting({ steps }: Row): boolean {
  return steps.includes('restart');
}
