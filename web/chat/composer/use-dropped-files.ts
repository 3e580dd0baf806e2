import { useEffect, useRef, useState } from 'react';

/** Files may be dropped anywhere on the page; a browser would otherwise leave the page to open them. */
export function useDroppedFiles(onFiles: (files: Iterable<File>) => void): boolean {
  const [isOver, setOver] = useState(false);
  const take = useRef(onFiles);
  take.current = onFiles;
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    addEventListener(
      'dragover',
      (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      },
      { signal },
    );
    addEventListener('dragleave', (event) => event.relatedTarget === null && setOver(false), { signal });
    addEventListener(
      'drop',
      (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(false);
        take.current(event.dataTransfer?.files ?? []);
      },
      { signal },
    );
    return () => stop.abort();
  }, []);
  return isOver;
}
