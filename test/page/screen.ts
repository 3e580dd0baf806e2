import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** The page as a person sees it. */
export interface Screen {
  readonly page: Page;
  /** The conversation. */
  readonly log: Locator;
  /** The field for a message. */
  readonly composer: Locator;
  readonly turns: Locator;
  /** The newest question with its answer. */
  readonly newest: Locator;
  /** The text of the newest answer. */
  readonly answer: Locator;
  /** Tool calls of the newest turn. */
  readonly cards: Locator;
  button(name: string | RegExp): Locator;
  /** Writes a message and sends it by Enter. */
  ask(text: string): Promise<void>;
  /** Opens a new conversation and waits until nothing of the last one is shown. */
  newConversation(): Promise<void>;
  /** Waits until the newest turn has this status. */
  until(status: string): Promise<void>;
  /** Waits until the newest answer holds this text, and returns all of it. */
  untilAnswer(text: string): Promise<string>;
  /** Asks and waits for the whole answer. */
  chat(text: string): Promise<string>;
  /** Questions and last texts of all turns, as `user: …` and `assistant: …`. */
  transcript(): Promise<string[]>;
  /** Id of the conversation in the address; undefined for a new one. */
  conversationId(): string | undefined;
  reload(): Promise<void>;
}

export function createScreen(page: Page): Screen {
  const log = page.getByRole('log');
  const turns = page.locator('article.turn');
  const newest = turns.last();
  const composer = page.getByRole('textbox', { name: 'Message', exact: true });
  const answer = newest.locator('.markdown').last();
  const statusOf = async () => ((await turns.count()) > 0 ? newest.getAttribute('data-status') : undefined);
  const screen: Screen = {
    page,
    log,
    composer,
    turns,
    newest,
    answer,
    cards: newest.locator('.card'),
    button: (name) => page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) }),
    async ask(text) {
      const before = await turns.count();
      await composer.fill(text);
      await composer.press('Enter');
      await turns.nth(before).waitFor();
    },
    async newConversation() {
      await screen.button('New conversation').click();
      await expect.poll(() => turns.count()).toBe(0);
    },
    async until(status) {
      await expect.poll(statusOf).toBe(status);
      await expect.poll(() => newest.locator('.markdown[aria-busy]').count()).toBe(0);
    },
    async untilAnswer(text) {
      await answer.filter({ hasText: text }).waitFor();
      return answer.innerText();
    },
    async chat(text) {
      await screen.ask(text);
      await screen.until('completed');
      return answer.innerText();
    },
    async transcript() {
      const all = await turns.all();
      const texts = all.map(async (turn) => [
        `user: ${await turn.locator('.question p').innerText()}`,
        ...(await turn.locator('.markdown').allInnerTexts()).slice(-1).map((text) => `assistant: ${text}`),
      ]);
      return (await Promise.all(texts)).flat();
    },
    conversationId: () => new URL(page.url()).searchParams.get('c') ?? undefined,
    async reload() {
      await page.reload();
      await page.locator('main:not([aria-busy=true])').waitFor();
    },
  };
  return screen;
}
