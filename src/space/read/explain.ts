import type { Verdict } from './read.ts';

/** Says why a question is not answered: the unknown words first, or what cannot be computed. */
export function explainDecline(
  { kind, choices, unknown, problem }: Pick<Verdict, 'kind' | 'choices' | 'unknown' | 'problem'>,
  { title, examples }: { title: string; examples: readonly string[] },
): string {
  if (kind === 'ask') return `Which one do you mean?\n${choices.map((choice) => `- ${choice}`).join('\n')}`;
  const ask = examples.length > 0 ? ` Ask, for example: ${examples.map((text) => `"${text}"`).join(', ')}` : '';
  if (unknown.length > 0) {
    const words = unknown.map((word) => `"${word}"`).join(', ');
    return `I do not know ${words} in the data of ${title}, so I do not answer another question instead.${ask}`;
  }
  return `I cannot compute this from the data of ${title}${problem === undefined ? '' : `: ${problem}`}.${ask}`;
}
