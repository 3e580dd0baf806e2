import { sanitizeText } from '../../tools/sanitize.ts';

/** Removes all escape sequences except colours and text styles, whatever their origin. */
export function keepStyles(text: string): string {
  return text
    .split(/(\u001b\[[\d;]*m)/)
    .map((part, index) => (index % 2 === 1 ? part : sanitizeText(part)))
    .join('');
}
