import { describe, expect, it } from 'vitest';
import { pick } from '../long.ts';
import { say } from '../terminal/session.ts';
import { openPages, type Screen } from './pages.ts';
import { fillConversation, servePage } from './scene.ts';

const pages = openPages();

/** `limits.reply_chars` of an agent that sets no `max_tokens`. */
const REPLY_CHARS = 256_000;
/** Elements and characters that one step of drawing may add: of the newest four turns at most. */
const MOST_ELEMENTS = 4_000;
const MOST_TEXT = 10_000;
/** More than are drawn at once. */
const LONG_TURNS = pick(6, 12);
const fill = (piece: string) => piece.repeat(Math.floor((REPLY_CHARS - 100) / piece.length));

/** These are of each kind: a word without an end, blocks, nested blocks, lines, inline marks, cells. */
const KINDS: [what: string, text: string][] = [
  ['combining characters', `a${fill('\u0301')}`],
  ['short paragraphs', fill('a\n\n')],
  ['lists within each other', fill(`${'1. '.repeat(20)}a\n`)],
  ['code', `\`\`\`\n${fill('a\n').slice(0, 255_000)}`],
  ['emphasis', fill('*a* ')],
  ['table cells', `|a|b|\n|-|-|\n${fill('|a|b|\n')}`.slice(0, REPLY_CHARS)],
];
const OTHERS: [what: string, text: string][] = [
  ['a list', fill('- a\n')],
  ['headings', fill('# a\n')],
  ['e-mail addresses', fill('a@b.co ')],
  ['autolinks', fill('http://a.b ')],
  ['entities', fill('&amp;')],
  ['newlines', `a${fill('\n')}b`],
  ['Arabic without a space', fill('ب\u064b')],
  ['Thai without a space', fill('ก\u0e48')],
  ['quotes within each other', fill(`${'> '.repeat(20)}a\n\n`)],
  ['unclosed brackets', fill('[a](')],
  ['code spans', fill('`a` ')],
  ['references', `${fill('[a] ').slice(0, 250_000)}\n\n[a]: http://a.b`],
  ['tasks', fill('- [ ] a\n')],
  ['definitions', fill('[a]: b\n')],
];

/** As a fast model sends them. */
const pieces = (text: string) => text.match(/.{1,4000}/gs) ?? [];

/** Runs before the page: the elements that one step of drawing adds, and the longest text that one element gets. */
const WATCH = `
window.__steps = { elements: 0, text: 0 };
new MutationObserver((list) => {
  const added = list.flatMap(({ addedNodes }) => [...addedNodes]).filter((node) => node.nodeType === 1 && node.closest('.markdown'));
  const count = added.reduce((sum, node) => sum + 1 + node.getElementsByTagName('*').length, 0);
  window.__steps.elements = Math.max(window.__steps.elements, count);
  for (const node of added) window.__steps.text = Math.max(window.__steps.text, node.textContent.length);
}).observe(document, { childList: true, subtree: true });
`;

describe('an answer of the longest length', () => {
  it.each([...KINDS, ...pick([], OTHERS)])(
    'is drawn in small steps, while it arrives and after a reload: %s',
    async (_what, text) => {
      const { url } = await servePage({ replies: [say(...pieces(text)), say('Second.')] });
      const screen = await pages.open(url, { before: WATCH });
      await screen.ask('one');
      await screen.until('completed');
      await expectSmallSteps(screen);
      await screen.reload();
      await screen.until('completed');
      await expectSmallSteps(screen);
      expect(await screen.chat('two')).toBe('Second.');
    },
  );

  it('is drawn to its end on request, in small steps too', { timeout: 120_000 }, async () => {
    const text = `${fill('a\n\n').slice(0, 45_000)}the last line`;
    const { url } = await servePage({ replies: [say(...pieces(text))] });
    const screen = await pages.open(url, { before: WATCH });
    await screen.ask('one');
    await screen.until('completed');
    const shown = await screen.answer.locator('p').count();
    expect(shown).toBeLessThan(5_000);
    await screen.button('Show all 45,013 characters').click();
    await screen.answer.getByText('the last line').waitFor({ state: 'attached', timeout: 90_000 });
    expect(await screen.answer.locator('p').count()).toBe(15_001);
    expect(await screen.answer.getByRole('button').count()).toBe(0);
    await expectSmallSteps(screen);
  });
});

describe('a conversation of long answers', () => {
  it('is opened in small steps, the newest first', { timeout: 120_000 }, async () => {
    const { url, runtime } = await servePage({ replies: [say(...pieces(fill('- a\n')))] });
    const id = await fillConversation(runtime, LONG_TURNS);
    const screen = await pages.open(`${url}/?c=${id}`, { before: WATCH });
    await screen.until('completed');
    await expect.poll(() => screen.turns.count()).toBe(LONG_TURNS);
    await expect.poll(() => screen.page.locator('.markdown[aria-busy]').count()).toBe(0);
    await expectSmallSteps(screen);
  });
});

async function expectSmallSteps({ page }: Screen): Promise<void> {
  const steps = await page.evaluate<{ elements: number; text: number }>('window.__steps');
  expect(steps.elements).toBeGreaterThan(0);
  expect(steps.elements).toBeLessThan(MOST_ELEMENTS);
  expect(steps.text).toBeLessThan(MOST_TEXT);
}
