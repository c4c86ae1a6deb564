/**
 * Bytes that start like an image but are not one; the message is a clause, such as "it is cut off before its
 * end".
 */
export class NotAWholeImage extends Error {}

/** 50 megapixels: phones' largest usual photos have 48. A decoder of the receiver needs four bytes for each. */
export const MAX_PIXELS = 50_000_000

/** A photo has at most a few hundred chunks (PNG) or segments (JPEG). A JPEG of 5 MiB can have a million empty ones. */
export const MAX_CHUNKS_OR_SEGMENTS = 10_000

/** An image with more pixels than `MAX_PIXELS`, whatever its size in bytes. */
export class TooManyPixels extends NotAWholeImage {
  readonly width: number
  readonly height: number

  constructor(width: number, height: number) {
    super(`it has ${width} × ${height} pixels`)
    this.width = width
    this.height = height
  }
}

/** Throws `NotAWholeImage` for an empty image, and `TooManyPixels`. */
export function checkPixels(width: number, height: number): void {
  if (width === 0 || height === 0) throw new NotAWholeImage('it says no size')
  if (width * height > MAX_PIXELS) throw new TooManyPixels(width, height)
}
