import { useEffect, useMemo, useRef, useState } from 'react';
import { useDrawQueue } from '../state/context.ts';
import { cutSlices, type Slice } from './cut-slices.ts';

/** The slices of a text that may still grow. Only its last slice is cut again. */
export function useSlices(text: string): readonly Slice[] {
  const before = useRef<{ source: string; slices: readonly Slice[] }>(undefined);
  return useMemo(() => {
    const source = text.replace(/\r\n|\r/g, '\n');
    const known = before.current && source.startsWith(before.current.source) ? before.current.slices : [];
    before.current = { source, slices: cutSlices(source, known) };
    return before.current.slices;
  }, [text]);
}

/** How many of `total` parts are drawn: the first at once, each further one in a frame of its own. */
export function useSteps(total: number): number {
  const queue = useDrawQueue();
  const [drawn, setDrawn] = useState(1);
  useEffect(() => {
    if (drawn < total) return queue.add(() => setDrawn(drawn + 1));
  }, [queue, drawn, total]);
  return Math.min(drawn, total);
}
