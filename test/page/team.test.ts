import { describe, expect, it } from 'vitest';
import { ALICE, buildTool } from '../build.ts';
import { serveRuntime } from '../server/server.ts';
import { delegateTo, openTeam } from '../team/team.ts';
import { openPages } from './pages.ts';

const pages = openPages();

describe('a team', () => {
  it('shows a member as a card with its task, steps and answer, and asks for it by its name', async () => {
    const refund = buildTool({ name: 'refund', needsApproval: true, run: () => 'refunded' });
    const { runtime } = await openTeam({
      sub_agents: ['checker', 'writer'],
      members: { checker: {}, writer: {} },
      tools: [refund],
      script: {
        lead: (step) =>
          step === 0 ? { calls: [delegateTo('checker', 'Refund 7.'), delegateTo('writer', 'Write.')] } : 'Refunded.',
        'lead/checker': (step) => (step === 0 ? { calls: [{ name: 'refund', arguments: { text: '7' } }] } : 'Paid.'),
        'lead/writer': () => 'Dear customer.',
      },
    });
    const { url } = await serveRuntime(runtime, { identify: async () => ALICE });
    const screen = await pages.open(url);
    await screen.ask('Refund order 7');
    await screen.until('waiting');
    const approval = screen.page.getByRole('region', { name: 'checker wants to call refund. Allow it?' });
    await approval.waitFor();
    const names = screen.cards.locator('.card-name');
    expect(await names.allInnerTexts()).toEqual(['checker', 'writer']);
    await screen.reload();
    await screen.until('waiting');
    expect(await names.allInnerTexts()).toEqual(['checker', 'writer']);
    expect(await screen.cards.locator('.card-facts').first().innerText()).toContain('waits for you');
    await screen.button('Allow once').click();
    await screen.until('completed');
    expect(await screen.answer.innerText()).toBe('Refunded.');
    await screen.cards.first().getByRole('button').click();
    await screen.page.locator('.member-steps').waitFor();
    expect(await screen.cards.first().innerText()).toMatch(
      /Task\s+Refund 7\.\s+Steps\s+refund done[\s\S]*Answer\s+Paid\./,
    );
    await screen.reload();
    await screen.until('completed');
    expect(await names.allInnerTexts()).toEqual(['checker', 'writer']);
    await screen.button(/Trace/).last().click();
    await screen.page.locator('.waterfall').waitFor();
    const rows = await screen.page.locator('.waterfall .depth-1 .span-label').allInnerTexts();
    expect(rows).toEqual(expect.arrayContaining(['refund']));
  });
});
