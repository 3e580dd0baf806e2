import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { writeConversationPage } from '../../scripts/conversation-page.ts';

it('talks as docs/conversation.md shows it', async () => {
  const page = readFileSync(new URL('../../docs/conversation.md', import.meta.url), 'utf8');
  expect(await writeConversationPage()).toBe(page);
});
