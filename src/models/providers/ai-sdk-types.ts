import type { AnthropicProvider } from '@ai-sdk/anthropic';

/** The interface shared by the provider packages, derived from one of them. */
export type LanguageModel = ReturnType<AnthropicProvider['languageModel']>;
export type CallOptions = Parameters<LanguageModel['doStream']>[0];
type StreamResult = Awaited<ReturnType<LanguageModel['doStream']>>;
export type StreamPart = StreamResult['stream'] extends ReadableStream<infer Part> ? Part : never;
export type Prompt = CallOptions['prompt'];
export type PromptMessage = Prompt[number];
export type AssistantParts = Extract<PromptMessage, { role: 'assistant' }>['content'];
export type ProviderMetadata = NonNullable<PromptMessage['providerOptions']>;
export type FinishPart = Extract<StreamPart, { type: 'finish' }>;
