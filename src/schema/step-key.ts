/** Names a model call of a turn where trace contexts are made and used. */
export function stepKey(iteration: number): string {
  return `step ${iteration}`;
}
