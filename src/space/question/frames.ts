import type { Draft, Mention } from './draft-shape.ts';

const TASKS: Readonly<Record<Mention['task'], string>> = {
  count: 'count',
  group: 'group',
  per: 'entity',
  measure: 'measure',
  having: '',
  without: 'without',
  loose: 'rows',
  bound: '',
};
const SILENT: ReadonlySet<string> = new Set([
  'filler',
  'role',
  'now',
  'not',
  'or_more',
  'compare',
  'between',
  'sorted',
]);

/**
 * The kinds of a question's words in order: "which group most measure". Conditions and periods are left out, because the
 * audit holds them against the query.
 */
export function frameOf(draft: Draft): string {
  const words = draft.items.flatMap((item, at): string[] => {
    switch (item.kind) {
      case 'function': {
        const { sense } = item;
        if (SILENT.has(sense.kind)) return [];
        if (sense.kind === 'most') return [sense.word];
        if (sense.kind === 'grain') return [sense.isTrend ? 'trend' : 'grain'];
        if (sense.kind === 'which' && sense.asks !== 'thing') return [sense.asks];
        return [sense.kind];
      }
      case 'content':
        return [contentKind(draft, at)];
      case 'number':
        return draft.numbers.some((number) => number.at === at) ? [] : ['n'];
      default:
        return [];
    }
  });
  return words.filter((word) => word !== '').join(' ');
}

function contentKind(draft: Draft, at: number): string {
  const mention = draft.mentions.find((one) => one.at === at);
  if (mention) {
    const isAdjective = mention.sense.kind === 'measure' && mention.sense.end !== undefined;
    return isAdjective ? 'extreme' : TASKS[mention.task];
  }
  return draft.verbs.some((verb) => verb.at === at) ? 'verb' : '';
}
