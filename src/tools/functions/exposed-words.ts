import { cutText, sanitizeText } from '../sanitize.ts';

export const MAX_WORDS = 500;

/** The message of an error that its author marks with `expose: true`. Others go to the log only. */
export function exposedWords(error: unknown): string | undefined {
  const isMeant = error instanceof Error && 'expose' in error && error.expose === true;
  return isMeant ? withoutPlaces(error.message) : undefined;
}

/** The first line, without paths and file addresses. */
export function withoutPlaces(text: string): string {
  const line = sanitizeText(text).trim().split('\n')[0] ?? '';
  return cutText(line.replace(/(?:file:\/\/|(?<![\w:/])\/|[A-Za-z]:\\)[^\s'",)]+/g, 'a file'), MAX_WORDS);
}
