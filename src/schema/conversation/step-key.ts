/** Identifies a model call of a turn in trace contexts. */
export function stepKey(iteration: number): string {
  return `step ${iteration}`;
}
