import type { Prompt, PromptMessage, ProviderMetadata } from './ai-sdk-types.ts';

const CACHED: { providerOptions: ProviderMetadata } = {
  providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
};

type UserMessage = Extract<PromptMessage, { role: 'user' }>;

/**
 * Marks where Anthropic's cache ends, in at most the four places that it accepts: after the tools and the instructions,
 * after the last two user messages (one was written by the turn before, one will be read by the next), and after the
 * newest tool results. Facts that change with every call move behind the newest user message: at the end of the
 * instructions they would make the whole history after them uncacheable.
 */
export function markCache(prompt: Prompt, changing = ''): void {
  const [system] = prompt;
  const users = prompt.filter((message): message is UserMessage => message.role === 'user');
  const newest = users.at(-1);
  if (system?.role !== 'system' || !newest) return;
  const isSplit = changing !== '' && system.content.includes(changing);
  if (isSplit) system.content = system.content.replace(changing, () => '').trim();
  if (system.content !== '') Object.assign(system, CACHED);
  for (const message of users.slice(-2)) markLast(message.content);
  if (isSplit) newest.content.push({ type: 'text', text: `[Facts from the system, not from the user. ${changing}]` });
  const last = prompt.at(-1);
  if (last?.role === 'tool') markLast(last.content);
}

function markLast(parts: object[]): void {
  const last = parts.at(-1);
  if (last) Object.assign(last, CACHED);
}
