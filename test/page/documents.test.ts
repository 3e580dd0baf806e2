import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRuntime } from '../../src/runtime/runtime.ts';
import { ALICE, buildAgent } from '../build.ts';
import { temporaryFolder } from '../runtime.ts';
import { serveRuntime } from '../server/server.ts';
import { openPages } from './pages.ts';

const LEAVE = `# Annual leave

## Entitlement

${'Employees of every office ask their manager for time off some weeks before it begins. '.repeat(12)}

## Carry-over

Up to 5 days of unused annual leave may be carried over. They must be taken by 31 March.
${'The office writes to you in the autumn if some days are still open, so that you can plan. '.repeat(10)}
`;
const DOCUMENTS = {
  'broken.pdf': 'no pdf',
  'computers.md': '# Computers\n\nA new computer is ordered by your manager.\n',
  'leave.md': LEAVE,
  'travel.md': '# Travel\n\nTrains are booked in the second class.\n',
};

const pages = openPages();

/** A page over documents in a folder, with the built-in model. */
async function serveDocuments() {
  const folder = temporaryFolder();
  const source = join(folder, 'documents');
  mkdirSync(source);
  const write = (name: string, text: string) => writeFileSync(join(source, name), text);
  for (const [name, text] of Object.entries(DOCUMENTS)) write(name, text);
  const agent = { ...buildAgent({ knowledge: { rules: { source: './documents' } } }), folder };
  const runtime = await createRuntime({ agents: [agent], folder: join(folder, 'data') });
  onTestFinished(() => runtime.stop());
  const count = async () => (await runtime.listKnowledge(ALICE, 'helper')).documents.length;
  await expect.poll(count).toBe(Object.keys(DOCUMENTS).length);
  const { url } = await serveRuntime(runtime, { identify: async () => ALICE });
  return { url, write, remove: (name: string) => rmSync(join(source, name)) };
}

describe('documents', () => {
  it('are cited by footnotes that open the passage, also after the file has changed or is gone', async () => {
    const { url, write, remove } = await serveDocuments();
    const screen = await pages.open(url, { allow: [/404/] });
    await screen.chat('how many days of annual leave may be carried over?');
    const note = screen.answer.locator('.footnote').first();
    const side = screen.page.getByRole('complementary', { name: 'Details' });
    const open = async () => {
      await screen.reload();
      await side.locator('.passage-text').first().waitFor();
      return side.innerText();
    };
    await note.click();
    await side.locator('mark').waitFor();
    expect(await side.locator('mark').innerText()).toContain('Up to 5 days');
    expect(await side.locator('h3').innerText()).toBe('Annual leave › Carry-over');
    expect(await note.getAttribute('aria-pressed')).toBe('true');
    write('leave.md', LEAVE.replace('Up to 5', 'Up to 7'));
    await expect.poll(open).toMatch(/has changed[\s\S]*Up to 5 days[\s\S]*nearest passage[\s\S]*Up to 7 days/);
    remove('leave.md');
    await expect.poll(open).toMatch(/cannot be opened[\s\S]*Up to 5 days/);
  });

  it('are listed with problems first, searched, and opened at a place', async () => {
    const { url } = await serveDocuments();
    const screen = await pages.open(url);
    await screen.button('Documents').click();
    const side = screen.page.getByRole('complementary', { name: 'Details' });
    const list = side.getByRole('list', { name: 'Documents' });
    await list.waitFor();
    const texts = await list.getByRole('listitem').allInnerTexts();
    expect(texts).toHaveLength(4);
    expect(texts[0]).toMatch(/broken\.pdf · not read/);
    await side.getByRole('searchbox').fill('second class trains');
    await side.getByRole('list', { name: 'Passages' }).getByRole('button').first().click();
    await side.locator('mark').waitFor();
    expect(await side.locator('mark').innerText()).toContain('Trains are booked');
    await side.getByRole('button', { name: 'All documents' }).click();
    await side.getByRole('list', { name: 'Passages' }).waitFor();
  });
});
