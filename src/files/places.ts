/** A semaphore with several places, granted in order; a request for several places waits until they are free. */
export interface Places {
  /** Resolves with the function that releases the places. A request is capped at the total. */
  take(count: number): Promise<() => void>;
}

export function createPlaces(total: number): Places {
  const waiting: { count: number; enter(): void }[] = [];
  let free = total;

  const admit = () => {
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
        admit();
      });
      return () => {
        free += count;
        admit();
      };
    },
  };
}
