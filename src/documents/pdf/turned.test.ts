import assert from 'node:assert/strict'
import test from 'node:test'
import { placedImage } from './turned.ts'

/** Where the image's first pixel, its top left, is displayed for each orientation (EXIF 2.32: row 0, column 0). */
const FIRST_PIXEL: Readonly<Record<number, [across: number, down: number]>> = {
  1: [0, 0],
  2: [1, 0],
  3: [1, 1],
  4: [0, 1],
  5: [0, 0],
  6: [1, 0],
  7: [1, 1],
  8: [0, 1],
}

test('an image is shown the right way up, and fills its box', () => {
  const box = { x: 100, y: 40, width: 300, height: 200 }
  for (const [orientation, [across, down]] of Object.entries(FIRST_PIXEL)) {
    const [a, b, c, d, e, f] = placedImage(box, Number(orientation)).split(' ').map(Number) as number[] as [
      ...[number, number, number, number, number, number],
    ]
    const at = (u: number, v: number) => [a * u + c * v + e, b * u + d * v + f]
    // An image’s unit square goes upwards: its first row is at 1.
    assert.deepEqual(at(0, 1), [box.x + across * box.width, box.y + down * box.height], orientation)
    const corners = [at(0, 0), at(0, 1), at(1, 0), at(1, 1)].map(String).toSorted()
    const ofBox = [0, 1]
      .flatMap((s) => [0, 1].map((t) => String([box.x + s * 300, box.y + t * 200])))
      .toSorted()
    assert.deepEqual(corners, ofBox, orientation)
  }
  assert.equal(placedImage(box, 1), '300 0 0 -200 100 240')
})
