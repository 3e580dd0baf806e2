import type { Verdict } from './judge.ts';

/** Says why a question is not answered: the unknown words first, or the readings to choose from. */
export function explainDecline(
  { kind, choices, notUnderstood, reasons }: Pick<Verdict, 'kind' | 'choices' | 'notUnderstood' | 'reasons'>,
  { title, examples }: { title: string; examples: readonly string[] },
): string {
  if (kind === 'ask') {
    const question =
      choices.length > 1 ? 'Which one do you mean?' : `Do you mean this? I am not sure: ${reasons.join('; ')}.`;
    return `${question}\n${choices.map((choice) => `- ${choice}`).join('\n')}`;
  }
  const ask = examples.length > 0 ? ` Ask, for example: ${examples.map((text) => `"${text}"`).join(', ')}` : '';
  if (notUnderstood.length > 0) {
    const words = notUnderstood.map((word) => `"${word}"`).join(', ');
    return `I do not know ${words} in the data of ${title}, so I do not answer another question instead.${ask}`;
  }
  const because = reasons.length > 0 ? `: ${reasons.join('; ')}` : '';
  return `I cannot compute this from the data of ${title}${because}.${ask}`;
}
