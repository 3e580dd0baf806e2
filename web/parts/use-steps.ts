import { useEffect, useState } from 'react';
import { useDrawQueue } from '../state/context.ts';

/** How many of `total` parts are drawn: the first at once, each further one in a frame of its own. */
export function useSteps(total: number): number {
  const queue = useDrawQueue();
  const [drawn, setDrawn] = useState(1);
  useEffect(() => {
    if (drawn < total) return queue.add(() => setDrawn(drawn + 1));
  }, [queue, drawn, total]);
  return Math.min(drawn, total);
}
