/** Undoes `duoti/view/pack.py`: base64, deflate, byte planes, differences of differences. */
import type { Block, ExactBlock } from "./document";

export async function inflate(text: string): Promise<Uint8Array<ArrayBuffer>> {
  if (!text) return new Uint8Array(0);
  const bytes = fromBase64(text);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

/** Numbers with all their digits, not deflated. */
export function floats(text: string): Float64Array<ArrayBuffer> {
  return new Float64Array(fromBase64(text).buffer);
}

/** Numbers in rows: element (row, column) is at row * columns + column. */
export async function unpack(block: Block): Promise<Float64Array<ArrayBuffer>> {
  return undo(await inflate(block.data), block);
}

export function undo(planes: Uint8Array, block: Omit<Block, "data">): Float64Array<ArrayBuffer> {
  const { rows, columns } = block;
  const count = rows * columns;
  const values = new Float64Array(count);
  for (let column = 0; column < columns; column++) {
    const step = block.step[column];
    const offset = block.offset[column];
    let difference = 0;
    let whole = 0;
    for (let row = 0; row < rows; row++) {
      const k = column * rows + row;
      const code = planes[k] | (planes[k + count] << 8) | (planes[k + 2 * count] << 16) | (planes[k + 3 * count] << 24);
      const second = (code >>> 1) ^ -(code & 1);
      difference = row < 1 ? 0 : (difference + second) | 0;
      whole = row < 1 ? second : (whole + difference) | 0;
      values[row * columns + column] = whole * step + offset;
    }
  }
  return values;
}

export async function unpackExact(block: ExactBlock): Promise<Float64Array<ArrayBuffer>> {
  const bytes = await inflate(block.data);
  return new Float64Array(bytes.buffer, bytes.byteOffset, block.count);
}
