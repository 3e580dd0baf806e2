import type { Agent } from '../../schema/agent.ts';
import { providerFacts } from '../../schema/provider.ts';
import type { Tool } from '../../tools/tool.ts';
import { invalidAt } from '../http/parse.ts';
import type { CallerInput } from './chat-in.ts';

export type AskedChoice = 'auto' | 'none' | 'required' | { name: string } | null | undefined;

interface Asked {
  choice: AskedChoice;
  tools: readonly Tool[];
  input: Pick<CallerInput, 'message'>;
}

/** The tool that the agent must call first; undefined leaves it to the agent. Throws where that cannot be ensured. */
export function readChoice(
  { choice, tools, input }: Asked,
  { model }: Agent,
): 'required' | { name: string } | undefined {
  if (!choice || choice === 'auto' || choice === 'none') return undefined;
  const refuse = (message: string) => invalidAt({ path: ['tool_choice'], message });
  if (!providerFacts(model.provider).protocol) throw refuse('must be auto or none: the built-in model decides itself');
  if (!input.message) throw refuse('must be auto or none with tool results: the agent decides how it continues');
  if (tools.length === 0) throw refuse(`needs tools, and the request has none`);
  const isUnknown = choice !== 'required' && !tools.some(({ name }) => name === choice.name);
  if (isUnknown) throw refuse(`names ${JSON.stringify(choice.name)}, which is not among the tools of the request`);
  return choice === 'required' ? choice : { name: choice.name };
}
