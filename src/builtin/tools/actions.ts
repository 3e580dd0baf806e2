/** Kinds of actions that verbs stand for, both in messages and in tool names. */
export type ActionKind = 'read' | 'make' | 'change' | 'remove' | 'play' | 'buy' | 'send' | 'calculate';

const VERBS: Readonly<Record<ActionKind, string>> = {
  read:
    'whats hows wheres whos track monitor count preview inspect analyze analyse identify verify get list show find search fetch retrieve check look lookup view display read query tell see know give provide locate ' +
    'recommend suggest browse discover what which who where when describe explain compare looking is are there any available',
  make: 'add create insert new register make append generate build write compose put save store log record jot note upload import sign enroll enrol join enter',
  change:
    'extend renew prolong warm heat cool block unblock tune update change set modify edit replace adjust rename configure switch turn enable disable alter lock unlock open close assign move reassign mark mute unmute pause resume activate deactivate apply connect disconnect reset restart approve reject merge dim raise lower increase decrease push postpone reschedule rotate restore archive tag label pin link unlink kill',
  remove: 'delete remove clear drop erase cancel uninstall unsubscribe revoke wipe purge discard',
  play: 'play listen stream watch start',
  buy: 'buy book reserve purchase order schedule rent hire',
  send: 'send email message share notify post forward transfer pay request invite call dial ring phone telephone publish submit reply refund donate tweet',
  calculate:
    'calculate compute sum multiply subtract divide times convert solve determine estimate evaluate split scale',
};

/** Verbs of a second kind: "schedule" makes an event as well as it buys a service. */
const ALSO: Readonly<Record<string, ActionKind>> = {
  schedule: 'make',
  book: 'make',
  set: 'make',
  order: 'make',
  take: 'remove',
  put: 'change',
  rename: 'change',
  get: 'buy',
  give: 'send',
  tell: 'send',
  ask: 'send',
};

const KINDS: ReadonlyMap<string, ActionKind> = new Map(
  // The cast is safe: the keys of VERBS are the kinds.
  (Object.entries(VERBS) as [ActionKind, string][]).flatMap(([kind, verbs]) =>
    verbs.split(' ').map((verb) => [verb, kind] as const),
  ),
);

export function actionOf(word: string): ActionKind | undefined {
  return KINDS.get(word);
}

export function actionsOf(words: readonly string[]): Set<ActionKind> {
  return new Set(
    words.flatMap((word) => [KINDS.get(word) ?? [], (Object.hasOwn(ALSO, word) ? ALSO[word] : []) ?? []].flat()),
  );
}
