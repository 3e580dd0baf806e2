import { CODES } from '../../src/errors.ts';
import { architecturePage } from '../architecture.ts';
import { writeConversationPage } from '../conversation-page.ts';
import { agentYamlPage } from './agent-yaml-page.ts';
import { commandsPage } from './commands-page.ts';
import { eventsPage } from './events-page.ts';
import { libraryPage } from './library-page.ts';
import { routesPage } from './routes-page.ts';
import { table } from './schema-text.ts';

/** The pages that are made from the program: path → maker. `npm run docs:write` writes them, a test compares them. */
export const GENERATED_PAGES: Readonly<Record<string, () => string | Promise<string>>> = {
  'docs/architecture.md': architecturePage,
  'docs/guides/conversation.md': writeConversationPage,
  'docs/reference/agent-yaml.md': agentYamlPage,
  'docs/reference/commands.md': commandsPage,
  'docs/reference/routes.md': routesPage,
  'docs/reference/errors.md': errorsPage,
  'docs/reference/events.md': eventsPage,
  'docs/reference/library.md': libraryPage,
};

/** docs/reference/errors.md: the table of error codes. */
function errorsPage(): string {
  const rows = Object.entries(CODES).map(([code, { title, status, exit, type }]) => [
    `\`${code}\``,
    title,
    String(status),
    String(exit),
    `\`${type}\``,
  ]);
  return `${HEAD}\n${table(['code', 'title', 'HTTP status', 'exit code', 'error_type'], rows)}\n`;
}

const HEAD = `# Error codes

This page is made from the table in \`src/errors.ts\` (\`npm run docs:write\`). Test the code, never the text: texts change.

Over HTTP an error is \`application/problem+json\` (RFC 9457): \`code\` is the first column, \`title\` the second, \`type\` is
\`https://holodeck.dev/errors/<code>\`, \`detail\` says what to do, and \`errors\` lists the fields that are wrong. A turn that
failed has the same \`code\` in its \`error\`, with the \`error_type\` of the last column.
[Faults](faults.md) shows which message each fault gives.
`;
