import { architecturePage } from '../architecture.ts';
import { writeConversationPage } from '../conversation-page.ts';
import { agentYamlPage } from './agent-yaml-page.ts';
import { commandsPage } from './commands-page.ts';
import { errorsPage } from './errors-page.ts';
import { routesPage } from './routes-page.ts';

/** The pages that are made from the program: path → maker. `npm run docs:write` writes them, a test compares them. */
export const GENERATED_PAGES: Readonly<Record<string, () => string | Promise<string>>> = {
  'docs/architecture.md': architecturePage,
  'docs/guides/conversation.md': writeConversationPage,
  'docs/reference/agent-yaml.md': agentYamlPage,
  'docs/reference/commands.md': commandsPage,
  'docs/reference/routes.md': routesPage,
  'docs/reference/errors.md': errorsPage,
};
