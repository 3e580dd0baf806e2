const BREAK =
  /\s*(?:[?;]\s+|\.\s+(?=[A-Z])|,?\s+and\s+(?:also\s+)?|,\s+(?=(?:what|which|how|who|where|when|is|are|show|list)\b))/gi;
const LEAST_WORDS = 2;

/** Splits a message into its questions. Empty when it holds only one. */
export function splitQuestions(text: string): string[] {
  const parts = text
    .split(BREAK)
    .map((part) => part.trim())
    .filter((part) => part.split(/\s+/).length >= LEAST_WORDS);
  return parts.length > 1 ? parts : [];
}
