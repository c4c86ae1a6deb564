import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { doorPhoto } from '../../../test/pages/door-photo.ts'
import { imageIn, parseImage } from './proof-image.ts'

test('an image over 50 megapixels is rejected with its size and the remedy', async () => {
  const photo = doorPhoto()
  assert.ok(await parseImage(photo.toString('base64'), 'proof.image'))
  photo.writeUInt32BE(20_000, 16)
  photo.writeUInt32BE(20_000, 20)
  photo.writeUInt32BE(crc32(photo.subarray(12, 29)), 29)
  await assert.rejects(parseImage(photo.toString('base64'), 'proof.image'), {
    code: 'invalid_request',
    message:
      'proof.image may have at most 50 megapixels, but has 20000 × 20000 pixels. Send a smaller photo.',
  })
  assert.equal(await imageIn(photo), null)
})
