/** A member's own name, without those of its teams. */
export function memberName(agent: string): string {
  return agent.slice(agent.lastIndexOf('/') + 1);
}
