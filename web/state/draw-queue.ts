/** Steps of drawing that may wait. One runs per frame, so that input is handled between them. */
export interface DrawQueue {
  /** Returns a function that takes the step out again. */
  add(step: () => void): () => void;
}

export function createDrawQueue(schedule: (run: () => void) => void): DrawQueue {
  const steps = new Set<() => void>();
  let isScheduled = false;
  const plan = () => {
    if (isScheduled || steps.size === 0) return;
    isScheduled = true;
    schedule(run);
  };
  const run = () => {
    isScheduled = false;
    const [step] = steps;
    if (!step) return;
    steps.delete(step);
    step();
    plan();
  };
  return {
    add(step) {
      steps.add(step);
      plan();
      return () => steps.delete(step);
    },
  };
}
