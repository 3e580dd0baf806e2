/** Where a model's replies come from, in the words that its errors use. */
export interface Origin {
  provider: string;
  model: string;
  /** Host and port, never the whole address. */
  host: string;
  /** The environment variable that holds the key. */
  keyVariable?: string;
  /** Only to keep it out of what is logged. */
  apiKey?: string;
}

/** Text for the log: short, and without the key wherever the provider repeated it. */
export function redact(text: string, origin: Origin): string {
  const clean = origin.apiKey ? text.replaceAll(origin.apiKey, '***') : text;
  return clean.slice(0, 2000);
}
