export type Chunk = Record<string, unknown> & { type: string };
type Part = { kind: 'text' | 'reasoning'; id: string };

/** The step and the part that a message has opened and must close. */
export function createOpenParts() {
  let hasStep = false;
  let open: Part | undefined;
  const closePart = (): Chunk[] => {
    const chunks = open ? [{ type: `${open.kind}-end`, id: open.id }] : [];
    open = undefined;
    return chunks;
  };
  const closeStep = (): Chunk[] => {
    const chunks = [...closePart(), ...(hasStep ? [{ type: 'finish-step' }] : [])];
    hasStep = false;
    return chunks;
  };
  return {
    closePart,
    closeStep,
    step(): Chunk[] {
      const chunks = [...closeStep(), { type: 'start-step' }];
      hasStep = true;
      return chunks;
    },
    delta(kind: Part['kind'], { message_id: id, text }: { message_id: string; text: string }): Chunk[] {
      const delta = { type: `${kind}-delta`, id, delta: text };
      if (open?.kind === kind && open.id === id) return [delta];
      const chunks = [...closePart(), { type: `${kind}-start`, id }, delta];
      open = { kind, id };
      return chunks;
    },
    /** Forgets the open part; false if there is none. */
    drop(): boolean {
      const hadPart = open !== undefined;
      open = undefined;
      return hadPart;
    },
  };
}
