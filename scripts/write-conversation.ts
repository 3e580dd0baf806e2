import { writeFileSync } from 'node:fs';
import { writeConversationPage } from './conversation-page.ts';

writeFileSync(new URL('../docs/conversation.md', import.meta.url), await writeConversationPage());
