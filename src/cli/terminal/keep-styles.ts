import { sanitizeText } from '../../tools/sanitize.ts';

/** Text as it may reach a terminal: of all sequences only colours and the like are left, whoever put them there. */
export function keepStyles(text: string): string {
  return text
    .split(/(\u001b\[[\d;]*m)/)
    .map((part, index) => (index % 2 === 1 ? part : sanitizeText(part)))
    .join('');
}
