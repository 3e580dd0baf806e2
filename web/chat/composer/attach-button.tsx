import { useRef } from 'react';
import { IconButton } from '../../parts/icon-button.tsx';
import { ACCEPTED } from '../../state/check-files.ts';
import { STRINGS } from '../../strings.ts';

export function AttachButton({ onFiles }: { onFiles(files: Iterable<File>): void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton icon="attach" label={STRINGS.files.attach} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={ACCEPTED}
        onChange={(event) => {
          onFiles(event.target.files ?? []);
          event.target.value = '';
        }}
      />
    </>
  );
}
