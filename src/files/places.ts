/** So many places, given out in the order of asking; one that needs several waits until they are free. */
export interface Places {
  /** Resolves with what gives the places back. Nobody is given more than there are. */
  take(count: number): Promise<() => void>;
}

export function createPlaces(total: number): Places {
  const waiting: { count: number; enter(): void }[] = [];
  let free = total;

  const letIn = () => {
    for (let next = waiting[0]; next && next.count <= free; next = waiting[0]) {
      waiting.shift();
      free -= next.count;
      next.enter();
    }
  };

  return {
    async take(wanted) {
      const count = Math.min(wanted, total);
      await new Promise<void>((enter) => {
        waiting.push({ count, enter });
        letIn();
      });
      return () => {
        free += count;
        letIn();
      };
    },
  };
}
