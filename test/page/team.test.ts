import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadAgent } from '../../src/config/load-agent.ts';
import { createRuntime } from '../../src/runtime/runtime.ts';
import { ALICE, buildTool } from '../build.ts';
import { temporaryFolder } from '../runtime.ts';
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

  it('names who speaks above each text, in the header and in the field, with one notice for a held answer', async () => {
    const agent = await loadAgent(join(import.meta.dirname, '../../agents/support/agent.yaml'));
    const runtime = await createRuntime({ agents: [agent], folder: temporaryFolder() });
    onTestFinished(() => runtime.stop());
    const { url } = await serveRuntime(runtime, { identify: async () => ALICE });
    const screen = await pages.open(url, { viewport: { width: 360, height: 740 } });
    const facts = screen.page.locator('.header-facts');
    for (const [message, speaker] of [
      ['What does delivery cost?', 'support'],
      ['Is invoice 1042 paid?', 'billing'],
      ['back to support, please', 'support'],
    ] as const) {
      await screen.ask(message);
      await screen.until('completed');
      expect(await screen.newest.locator('.note').first().innerText()).toBe(speaker);
      // A page that reads the turn after its end has no notices.
      expect(await screen.newest.getByText('Each answer is checked before it is shown.').count()).toBeLessThan(2);
      expect((await facts.innerText()).includes('billing answers')).toBe(speaker === 'billing');
      expect(await screen.composer.getAttribute('placeholder')).toBe(`Message ${speaker}`);
    }
    expect(await screen.page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  });
});
