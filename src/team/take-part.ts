import type { TurnDeps } from '../agent/running-turn.ts';
import type { TurnState } from '../agent/turn-state.ts';
import type { Agent } from '../schema/agent.ts';
import type { Message } from '../schema/conversation/message.ts';
import { timeLimits } from '../schema/model-limits.ts';
import type { Tool } from '../tools/tool.ts';
import { handBackTool } from './hand-over-tool.ts';
import { memberName } from './member-name.ts';
import { lastSpeaker, readAs, speakersOf, withoutHandOvers } from './speakers.ts';

export interface TeamTurn {
  /** The conversation's first agent. */
  first: Agent;
  state: TurnState;
  /** The newest texts of the branch before this turn, with the calls between them. */
  readLast(texts: number): Promise<Message[]>;
  /** The parts of the turn for an agent by its whole name, with these tools beside its own. */
  depsOf(agent: string, tools: readonly Tool[]): Promise<TurnDeps>;
}

/** The parts of a turn whose agents hand over to each other, for the agent that has the conversation now. */
export async function takePart({ first, state, readLast, depsOf }: TeamTurn): Promise<TurnDeps> {
  const speakers = speakersOf(first);
  const name = memberName(first.name);
  const { answer: answerSeconds } = timeLimits(first);
  const partsOf = async (wanted: string): Promise<TurnDeps> => {
    const agent = speakers.get(wanted) ?? first;
    const speaker = memberName(agent.name);
    const deps = await depsOf(agent.name, agent === first ? [] : [handBackTool(first)]);
    const handOvers = state.handedOverTo.length;
    const { response_format: _, ...own } = deps.agent;
    const isGone = wanted !== speaker;
    return {
      ...deps,
      // The caller knows one format of the answers, whoever gives them.
      agent: { ...own, ...(first.response_format && { response_format: first.response_format }) },
      // After as many hand-overs of one message as there are agents, the one that has the conversation answers.
      tools: handOvers < speakers.size ? deps.tools : withoutHandOvers(deps.tools),
      history: readAs(deps.history, { speaker, first: name }),
      notices: [...(deps.notices ?? []), ...(isGone ? [`${wanted} is no longer in this team. ${name} answers.`] : [])],
      team: {
        speaker,
        answerSeconds,
        handOvers,
        read: (messages) => readAs(messages, { speaker, first: name, isCurrent: true }),
        partsOf,
      },
    };
  };
  return partsOf(state.handedOverTo.at(-1) ?? (await findLast(readLast)) ?? name);
}

/** Reads backwards until a message names its agent. Replies from before there was a team name none. */
async function findLast(readLast: TeamTurn['readLast']): Promise<string | undefined> {
  for (let texts = 2, seen = -1; ; texts *= 8) {
    const messages = await readLast(texts);
    const found = lastSpeaker(messages);
    if (found !== undefined || messages.length === seen || messages.length === 0) return found;
    seen = messages.length;
  }
}
