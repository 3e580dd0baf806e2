/** A frame of a text/event-stream. */
export interface SseFrame {
  id?: string;
  event?: string;
  data: string;
}

/** Splits a stream of text into frames. Comments keep the connection alive and carry no frame. */
export function createFrameReader(): (text: string) => SseFrame[] {
  let rest = '';
  return (text) => {
    const blocks = `${rest}${text}`.replace(/\r\n/g, '\n').split('\n\n');
    rest = blocks.pop() ?? '';
    return blocks.flatMap((block) => readBlock(block) ?? []);
  };
}

function readBlock(block: string): SseFrame | undefined {
  const data: string[] = [];
  const frame: SseFrame = { data: '' };
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
    else if (field === 'id') frame.id = value;
    else if (field === 'event') frame.event = value;
  }
  return data.length === 0 ? undefined : { ...frame, data: data.join('\n') };
}
