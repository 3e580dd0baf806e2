import type { AgentInfo, Me, Session } from '../api/shapes.ts';
import type { Line } from '../reader/follow-events.ts';
import { type Conversation, createConversation } from './conversation.ts';
import type { Place } from './place.ts';

/** `out`: the server wants a token, or refuses the one that it got. `asking`: a link has brought another one. */
type Access = 'starting' | 'in' | 'out' | 'unreachable' | 'asking';

/** The token of another user, with the names of both. */
interface Offer {
  token: string;
  from: string;
  to: string;
}

export interface SessionList {
  state: 'loading' | 'ready' | 'failed';
  sessions: readonly Session[];
  before?: string;
  query: string;
  /** Hits of the search; absent while nothing is searched. */
  found?: readonly Session[];
}

/** A short message that needs no decision: an action that failed, or one that is done. */
interface Toast {
  text: string;
  isProblem: boolean;
}

export interface PageState {
  access: Access;
  /** Why the last token was refused. */
  accessProblem?: string;
  offer?: Offer;
  place: Place;
  agents: readonly AgentInfo[];
  me?: Me;
  line: Line;
  conversation: Conversation;
  list: SessionList;
  isListOpen: boolean;
  isHelpOpen: boolean;
  toast?: Toast;
}

export function createPageState(place: Place): PageState {
  return {
    access: 'starting',
    place,
    agents: [],
    line: 'connecting',
    conversation: createConversation(place.agent ?? '', place.conversation),
    list: { state: 'loading', sessions: [], query: '' },
    isListOpen: false,
    isHelpOpen: false,
  };
}

/** The agent of the conversation; undefined if it is not served. A new conversation has the first one unless it names one. */
export function currentAgent(state: PageState): AgentInfo | undefined {
  const { agents, conversation, place } = state;
  const name = conversation.agent || place.agent;
  return agents.find((agent) => agent.name === name) ?? (isUnserved(state) ? undefined : agents[0]);
}

/** The agent of a team that has the conversation now, if it is not the first one. */
export function currentSpeaker({ conversation: { order, turns, agent } }: PageState): string | undefined {
  const path = order.flatMap((id) => (turns[id]?.isActive ? [turns[id]] : []));
  const name = path.findLast(({ facts }) => facts.agent !== undefined)?.facts.agent;
  return name === agent ? undefined : name;
}

/** The data folder also has conversations of agents that this server does not serve. */
export function isUnserved({ agents, conversation: { id, agent } }: PageState): boolean {
  return id !== undefined && agent !== '' && !agents.some(({ name }) => name === agent);
}

/** A conversation that is still being read does not name its agent yet, and a message needs to know it. */
export function isUnnamed({ conversation: { id, agent } }: PageState): boolean {
  return id !== undefined && agent === '';
}

export function isReadOnly(state: PageState): boolean {
  return isUnserved(state) || isUnnamed(state);
}

/** The draft of a conversation is kept under this name. */
export function draftKeyOf(state: PageState): string {
  return state.conversation.id ?? `new.${currentAgent(state)?.name ?? ''}`;
}
