import type { ResultFacts } from '../api/shapes.ts';

type Gap = NonNullable<ResultFacts['error_details']>[number];

/** The failures whose reason the answer does not give in the same words. A domain must be named there, too. */
export function untoldGaps(gaps: readonly Gap[], answer: string): Gap[] {
  const told = plain(answer);
  const isTold = (text: string | undefined) => text !== undefined && plain(text) !== '' && told.includes(plain(text));
  return gaps.filter(({ domain, reason }) => !(isTold(reason) && (domain === undefined || isTold(domain))));
}

/** Words only: Markdown and a final stop do not make another reason. */
function plain(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length === 0 ? '' : ` ${words.join(' ')} `;
}
