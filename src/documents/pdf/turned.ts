/**
 * The rotation by EXIF orientation: where a point of the image, `p` across and `q` down, is displayed, as [s
 * by p, s by q, s at 0, t by p, t by q, t at 0] for `s` across and `t` down.
 */
const TURNS: Readonly<Record<number, readonly [number, number, number, number, number, number]>> = {
  1: [1, 0, 0, 0, 1, 0],
  2: [-1, 0, 1, 0, 1, 0],
  3: [-1, 0, 1, 0, -1, 1],
  4: [1, 0, 0, 0, -1, 1],
  5: [0, 1, 0, 1, 0, 0],
  6: [0, -1, 1, 1, 0, 0],
  7: [0, -1, 1, -1, 0, 1],
  8: [0, 1, 0, -1, 0, 1],
}
const UPRIGHT = TURNS[1] as (typeof TURNS)[number]

/** Whether it is stored on its side. */
export function isOnItsSide(orientation: number): boolean {
  return orientation >= 5 && orientation <= 8
}

type Box = { x: number; y: number; width: number; height: number }

/**
 * The PDF matrix that draws an image in a box, the right way up. An image fills the unit square upwards; the
 * page measures downwards.
 */
export function placedImage({ x, y, width, height }: Box, orientation: number): string {
  const [sp, sq, s0, tp, tq, t0] = TURNS[orientation] ?? UPRIGHT
  const matrix = [
    width * sp,
    height * tp,
    -width * sq,
    -height * tq,
    x + width * (s0 + sq),
    y + height * (t0 + tq),
  ]
  // Turns -0 into 0.
  return matrix.map((value) => value + 0).join(' ')
}
