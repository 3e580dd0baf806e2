/** Kinds of doing that verbs stand for, in messages and in tool names alike. */
export type ActionKind = 'read' | 'make' | 'change' | 'remove' | 'play' | 'buy' | 'send' | 'calculate';

const VERBS: Readonly<Record<ActionKind, string>> = {
  read:
    'get list show find search fetch retrieve check look lookup view display read query tell see know give provide locate ' +
    'recommend suggest browse discover what which who where when describe explain compare looking is are there any available',
  make: 'add create insert new register make append generate build write compose',
  change: 'update change set modify edit replace adjust rename configure switch turn enable disable alter',
  remove: 'delete remove clear drop erase cancel',
  play: 'play listen stream watch start',
  buy: 'buy book reserve purchase order schedule rent hire',
  send: 'send email message share notify post forward transfer pay request',
  calculate: 'calculate compute sum multiply subtract divide times convert solve determine estimate evaluate',
};

const KINDS: ReadonlyMap<string, ActionKind> = new Map(
  // The keys of VERBS are the kinds.
  (Object.entries(VERBS) as [ActionKind, string][]).flatMap(([kind, verbs]) =>
    verbs.split(' ').map((verb) => [verb, kind] as const),
  ),
);

export function actionOf(word: string): ActionKind | undefined {
  return KINDS.get(word);
}

export function actionsOf(words: readonly string[]): Set<ActionKind> {
  return new Set(words.flatMap((word) => KINDS.get(word) ?? []));
}
