import { useMemo, useRef } from 'react';
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
