import type { AgentInfo, Me, Session } from '../api/shapes.ts';
import type { Line } from '../reader/follow-events.ts';
import { type Conversation, createConversation } from './conversation.ts';
import type { Place } from './place.ts';

/** `out`: the server wants a token, or refuses the one that it got. */
type Access = 'starting' | 'in' | 'out' | 'unreachable';

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

export function currentAgent({ agents, conversation, place }: PageState): AgentInfo | undefined {
  const name = conversation.agent || place.agent;
  return agents.find((agent) => agent.name === name) ?? agents[0];
}

/** The draft of a conversation is kept under this name. */
export function draftKeyOf(state: PageState): string {
  return state.conversation.id ?? `new.${currentAgent(state)?.name ?? ''}`;
}
