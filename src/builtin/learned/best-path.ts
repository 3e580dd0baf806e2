/** Finds the best sequence of classes from scores of words and of neighbouring classes (Viterbi). */
export function bestPath(scores: readonly Float64Array[], transitions: Float32Array, classes: number): number[] {
  let totals = new Float64Array(classes);
  const steps = scores.map((row, at) => {
    const from = new Uint8Array(classes);
    const next = new Float64Array(classes);
    for (let to = 0; to < classes; to++) {
      let best = Number.NEGATIVE_INFINITY;
      for (let before = 0; before < classes; before++) {
        const total =
          (at === 0 ? 0 : (totals[before] ?? 0)) + (transitions[(at === 0 ? classes : before) * classes + to] ?? 0);
        if (total > best) {
          best = total;
          from[to] = before;
        }
      }
      next[to] = best + (row[to] ?? 0);
    }
    totals = next;
    return from;
  });
  let place = totals.indexOf(Math.max(...totals));
  const path: number[] = [];
  for (let at = steps.length - 1; at >= 0; at--) {
    path.unshift(place);
    place = steps[at]?.[place] ?? 0;
  }
  return path;
}
