/** A rough estimate that needs no tokenizer. The limit that it is compared with is rough too. */
export const CHARS_PER_TOKEN = 4;
/** A picture costs about this: Anthropic's and OpenAI's usual maximum. */
export const PICTURE_TOKENS = 1_600;
