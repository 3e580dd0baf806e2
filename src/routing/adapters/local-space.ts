import type { JsonObject } from '../../schema/json.ts';
import type { Tool, ToolContext, ToolOutcome } from '../../tools/tool.ts';
import type { AskOptions, DomainAdapter } from './domain-adapter.ts';
import { findPoll, followUp, isPollName } from './query-and-poll.ts';

/**
 * A space of this process. It speaks Genie's protocol but is never busy and denies nobody, so its failures are passed
 * on as they are: a number such as 429 in one of them belongs to the data.
 */
export const localSpace: DomainAdapter = {
  name: 'local-space',
  asks: (tool) => tool.isLocalSpace === true && !isPollName(tool.serverName ?? tool.name),
  findHelpers: findPoll,
  isHelperName: isPollName,
  join: (query, [poll = query], options) => ({
    ...query,
    run: (args, context) => ask(args, { query, poll, context, options }),
  }),
  conversationArgument: 'conversation_id',
};

interface Asking {
  query: Tool;
  poll: Tool;
  context: ToolContext;
  options: AskOptions;
}

async function ask(args: JsonObject, { query, poll, context, options }: Asking): Promise<ToolOutcome> {
  const outcome = await query.run(args, context);
  if ('error' in outcome) return outcome;
  return followUp(outcome.result, {
    context,
    options,
    poll: (ids) => poll.run(ids, context),
    toError: (message) => ({ error_type: 'ToolInvocationError', message }),
  });
}
