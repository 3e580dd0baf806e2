import { type Convert, count } from '../job/conversion.ts';
import { LIMITS } from '../limits.ts';
import { Unreadable } from '../reading.ts';
import { imageOrientation, imageSize } from './image-size.ts';
import { createRecognizer } from './ocr.ts';

export const convertImage: Convert = async (bytes, context) => {
  const size = imageSize(bytes);
  if (!size || size.width < 1 || size.height < 1) throw new Unreadable('is damaged: its header cannot be read');
  if (size.width * size.height > LIMITS.pixels) {
    const million = Math.round((size.width * size.height) / 1e6);
    throw new Unreadable(`has ${count(million, 'megapixel')}; at most ${LIMITS.pixels / 1e6} are read`);
  }
  context.progress('reading the text in the picture');
  const recognizer = createRecognizer({ ...context, pixels: size.width * size.height });
  context.emit(await recognizer.readFile(bytes, imageOrientation(bytes)));
  return { size: `${size.width} × ${size.height} pixels`, left: [] };
};
