import type { PluginTurn } from './plugin.ts';

/** Blanks out the sentences that were checked against cited passages: no figure is judged twice. */
export function withoutCited({ text, state }: PluginTurn): string {
  const cited = state.checks.filter((check) => check.kind === 'citation' && check.citations !== undefined);
  return cited.reduce((rest, { start, end }) => rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end), text);
}
