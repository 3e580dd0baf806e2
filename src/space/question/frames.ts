import type { Draft, Mention } from './draft-shape.ts';

const TASKS: Readonly<Record<Mention['task'], string>> = {
  count: 'count',
  group: 'group',
  per: 'entity',
  measure: 'measure',
  having: '',
  without: 'without',
  missing: 'without',
  loose: 'rows',
  bound: '',
};
const SILENT: ReadonlySet<string> = new Set([
  'filler',
  'soft',
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

/** Words that the guards hold against the query by themselves, so that a frame is the same with and without them. */
const GUARDED: ReadonlySet<string> = new Set([
  'which',
  'list',
  'total',
  'how_much',
  'how_many',
  'average',
  'and',
  'or',
  'n',
]);

/**
 * The core of a frame: words that the guards check are left out, groups stand at the end, and several figures are one
 * place. "What is the total revenue per channel" and "revenue by channel" have the same core.
 */
export function coreOf(frame: string): string {
  const isEdit = frame.startsWith('edit');
  const words = frame.split(' ').filter((word) => word !== 'edit' && !GUARDED.has(word));
  // The places of a ranking's groups say which of them is ranked.
  const isRanked = ['most', 'best', 'top', 'extreme'].some((word) => words.includes(word));
  const core: string[] = [];
  const groups: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const [word = '', next] = [words[at], words[at + 1]];
    const isGroup = (word === 'by' || word === 'each') && next === 'group';
    if (!isRanked && (isGroup || (word === 'per' && next === 'entity'))) {
      groups.push('by group');
      at++;
      // "By region and segment": further groups of the same list.
      while (words[at + 1] === 'group') {
        groups.push('by group');
        at++;
      }
    } else if (word === 'grain' && !isRanked) groups.push('grain');
    else if (word !== 'measure' || core.at(-1) !== 'measure') core.push(word);
  }
  return [...(isEdit ? ['edit'] : []), ...core, ...groups.toSorted()].join(' ');
}
