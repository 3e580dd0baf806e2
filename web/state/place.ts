const SIDES = ['row', 'trace', 'tasks', 'ways', 'documents', 'tests'] as const;
export type Side = (typeof SIDES)[number];

/** The part of the page's state that its address holds, so that every figure can be linked. */
export interface Place {
  agent?: string;
  conversation?: string;
  side?: Side;
  /** The subject of the side panel: `<message>.<start>` of a figure, `<message>.<id>` of a citation, the id of a turn or of a test run. */
  at?: string;
}

const SHORT_TEXT = /^[\w.:-]{1,200}$/;

export function readPlace(search: string): Place {
  const params = new URLSearchParams(search);
  const agent = shortText(params.get('agent'));
  const conversation = shortText(params.get('c'));
  const side = SIDES.find((name) => name === params.get('side'));
  const at = shortText(params.get('at'));
  return {
    ...(agent && { agent }),
    ...(conversation && { conversation }),
    ...(side && { side }),
    ...(side && at && { at }),
  };
}

export function writePlace({ agent, conversation, side, at }: Place): string {
  const params = new URLSearchParams();
  if (agent) params.set('agent', agent);
  if (conversation) params.set('c', conversation);
  if (side) params.set('side', side);
  if (side && at) params.set('at', at);
  const text = params.toString();
  return text ? `/?${text}` : '/';
}

function shortText(value: string | null): string | undefined {
  return value !== null && SHORT_TEXT.test(value) ? value : undefined;
}

/** A token that another program hands over in the address. The caller removes it from there at once. */
export function readHandedToken(hash: string): string | undefined {
  return new URLSearchParams(hash.replace(/^#/, '')).get('token') ?? undefined;
}
