/** Takes what people are not shown: a tool's exception, a provider's words. Never throws. */
export type Log = (text: string, details: Record<string, unknown>) => void;
