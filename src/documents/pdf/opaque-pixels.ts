import { setImmediate as nextTurn } from 'node:timers/promises'

type Size = { width: number; height: number; samples: number }

/** How many bytes are decoded in one turn of the event loop: some milliseconds of work. */
const BYTES_IN_TURN = 128 * 1024

/**
 * Cooperative decoding: the pixels of a PNG with transparency, drawn on white. The last sample of each pixel is its
 * opacity. Yields to the event loop after each 128 KiB. Throws `RangeError` when the image is cut off.
 */
export async function opaquePixels(raw: Buffer, { width, height, samples }: Size): Promise<Buffer> {
  const stride = width * samples
  if (raw.length < (stride + 1) * height) throw new RangeError('The image is cut off.')
  const out = Buffer.alloc(width * height * (samples - 1))
  let above: Uint8Array = new Uint8Array(stride)
  let decodedBytes = 0
  for (let y = 0; y < height; y++) {
    const start = y * (stride + 1) + 1
    const row = raw.subarray(start, start + stride)
    unfilter(raw[start - 1] as number, row, above, samples)
    drawOnWhite(row, out, y * width * (samples - 1), samples)
    above = row
    decodedBytes += stride
    if (decodedBytes >= BYTES_IN_TURN) {
      decodedBytes = 0
      await nextTurn()
    }
  }
  return out
}

/** Undoes a row's filter in place (ISO 15948 section 9); it depends on the row above. One loop for each, for speed. */
function unfilter(filter: number, row: Uint8Array, above: Uint8Array, step: number): void {
  const { length } = row
  if (filter === 1) {
    for (let x = step; x < length; x++) row[x] = at(row, x) + at(row, x - step)
  } else if (filter === 2) {
    for (let x = 0; x < length; x++) row[x] = at(row, x) + at(above, x)
  } else if (filter === 3) {
    for (let x = 0; x < step; x++) row[x] = at(row, x) + (at(above, x) >> 1)
    for (let x = step; x < length; x++) row[x] = at(row, x) + ((at(row, x - step) + at(above, x)) >> 1)
  } else if (filter === 4) {
    for (let x = 0; x < step; x++) row[x] = at(row, x) + at(above, x)
    for (let x = step; x < length; x++)
      row[x] = at(row, x) + paeth(at(row, x - step), at(above, x), at(above, x - step))
  }
}

function paeth(left: number, up: number, corner: number): number {
  const a = Math.abs(up - corner)
  const b = Math.abs(left - corner)
  const c = Math.abs(left + up - 2 * corner)
  return a <= b && a <= c ? left : b <= c ? up : corner
}

function drawOnWhite(row: Uint8Array, out: Uint8Array, start: number, samples: number): void {
  const colours = samples - 1
  let to = start
  for (let from = 0; from < row.length; from += samples) {
    const seen = at(row, from + colours)
    for (let sample = 0; sample < colours; sample++)
      out[to++] = 255 - Math.round(((255 - at(row, from + sample)) * seen) / 255)
  }
}

/** The caller keeps the index within the row. */
function at(row: Uint8Array, index: number): number {
  return row[index] as number
}
