import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32, deflateSync, inflateSync } from 'node:zlib'
import { keptPictureOf } from './kept-pictures.ts'
import { opaquePixels } from './picture.ts'

/** Rows of PNG, each after its filter (ISO 15948 section 9.2), worked out by the standard's own formulas. */
function filtered(pixels: readonly (readonly number[])[], filter: number, step: number): Buffer {
  return Buffer.from(
    pixels.flatMap((row, y) => [
      filter,
      ...row.map((value, x) => {
        const left = row[x - step] ?? 0
        const up = pixels[y - 1]?.[x] ?? 0
        const corner = pixels[y - 1]?.[x - step] ?? 0
        const guess = left + up - corner
        const nearest = [left, up, corner].reduce((best, one) =>
          Math.abs(guess - one) < Math.abs(guess - best) ? one : best,
        )
        const predicted = [0, left, up, (left + up) >> 1, nearest][filter] as number
        return (value - predicted) & 255
      }),
    ]),
  )
}

test('each filter of PNG gives the same pixels, drawn on white', async () => {
  const [width, height] = [7, 5]
  for (const samples of [2, 4]) {
    const pixels = Array.from({ length: height }, (_, y) =>
      Array.from({ length: width * samples }, (_, x) => (x * 53 + y * 91 + x * y) & 255),
    )
    const onWhite = pixels.flatMap((row) =>
      row.flatMap((value, x) => {
        const seen = row[x - (x % samples) + samples - 1] as number
        return x % samples === samples - 1 ? [] : [255 - Math.round(((255 - value) * seen) / 255)]
      }),
    )
    for (let filter = 0; filter <= 4; filter++) {
      const raw = filtered(pixels, filter, samples)
      const made = await opaquePixels(raw, { width, height, samples })
      assert.deepEqual([...made], onWhite, `filter ${filter}, ${samples} samples`)
    }
  }
  await assert.rejects(opaquePixels(Buffer.alloc(8), { width: 2, height: 2, samples: 4 }), RangeError)
})

test('a large image with transparency does not block other work, and is decoded once', async () => {
  const side = 2_000
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([8, 6], 8)
  const bytes = Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc((side * 4 + 1) * side, 4))),
    chunk('IEND', Buffer.alloc(0)),
  ])
  let turns = 0
  let isDone = false
  const count = () => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const image = { mediaType: 'image/png', bytes, sha256: 'a' }
  const [first, second] = await Promise.all([keptPictureOf(image), keptPictureOf({ ...image })])
  isDone = true
  assert.ok(turns >= 100, `${turns} turns of the event loop while 16 MB were decoded`)
  assert.equal(inflateSync(first?.bytes ?? Buffer.alloc(0)).length, side * side * 3)
  assert.equal(second, first)
})

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
