import assert from 'node:assert/strict'
import test from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { JPEG } from '../../../test/driver.ts'
import { doorPhoto } from '../../../test/pages/door-photo.ts'
import { METADATA, phonePhoto } from '../../../test/phone-photo.ts'
import { pictureOf } from '../pdf/picture.ts'
import { strippedJpeg } from './jpeg.ts'
import { NotAWholeImage, TooManyPixels } from './not-a-whole-image.ts'
import { orientationOf, orientationTiff } from './orientation.ts'
import { strippedPng } from './png.ts'

test('a phone’s photo keeps its picture and its orientation, and nothing else', async () => {
  for (let orientation = 1; orientation <= 8; orientation++) {
    const photo = phonePhoto(orientation)
    for (const word of METADATA) assert.ok(photo.includes(word))
    const kept = strippedJpeg(photo)
    for (const word of METADATA) assert.ok(!kept.includes(word), word)
    const picture = await pictureOf({ mediaType: 'image/jpeg', bytes: kept })
    assert.equal(picture?.orientation, orientation)
    assert.deepEqual(strippedJpeg(kept), kept, 'once is enough')
  }
  const plain = Buffer.from(JPEG, 'base64')
  assert.deepEqual(strippedJpeg(phonePhoto(1)), plain)
  assert.deepEqual(strippedJpeg(plain), plain)
})

test('a PNG keeps its pixels and its orientation, and loses its texts and times', async () => {
  const photo = doorPhoto()
  const body = 8 + 25
  const withMetadata = Buffer.concat([
    photo.subarray(0, body),
    chunk('tEXt', Buffer.from('Author\0Sam')),
    chunk('eXIf', orientationTiff(6)),
    chunk('iTXt', Buffer.from('XML:com.adobe.xmp\0\0\0\0\0Sam’s door')),
    photo.subarray(body),
  ])
  const kept = strippedPng(withMetadata)
  assert.ok(!kept.includes('Sam'))
  const at = kept.indexOf('eXIf')
  assert.equal(orientationOf(kept.subarray(at + 4, at + 30)), 6)
  assert.equal((await pictureOf({ mediaType: 'image/png', bytes: kept }))?.orientation, 6)
  assert.equal((await pictureOf({ mediaType: 'image/png', bytes: photo }))?.orientation, 1)
  assert.deepEqual(strippedPng(photo), photo)
})

test('a truncated or damaged image is rejected, and throws no other error', () => {
  const jpeg = phonePhoto(6)
  const end = jpeg.length - (METADATA.at(-1) ?? '').length
  for (let length = 3; length < end; length++)
    assert.throws(() => strippedJpeg(jpeg.subarray(0, length)), NotAWholeImage, `${length} bytes`)
  const png = smallPng()
  for (let length = 8; length < png.length; length++)
    assert.throws(() => strippedPng(png.subarray(0, length)), NotAWholeImage, `${length} bytes`)
  for (let at = 8; at < png.length; at++) {
    const broken = Buffer.from(png)
    broken[at] = (broken[at] as number) ^ 1
    assert.throws(() => strippedPng(broken), NotAWholeImage, `byte ${at}`)
  }
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 300 }),
      fc.constantFrom(strippedJpeg, strippedPng),
      (noise, strip) => {
        for (const bytes of [Buffer.from(noise), Buffer.concat([jpeg.subarray(0, 150), noise])]) {
          try {
            strip(bytes)
          } catch (error) {
            assert.ok(error instanceof NotAWholeImage)
          }
        }
      },
    ),
  )
})

test('50 megapixels are the limit, however small the file', () => {
  const sized = (width: number, height: number) => {
    const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, 0])
    header.writeUInt32BE(width, 0)
    header.writeUInt32BE(height, 4)
    return smallPng(header)
  }
  assert.ok(strippedPng(sized(10_000, 5_000)))
  const jpeg = Buffer.from(JPEG, 'base64')
  const frame = jpeg.findIndex((byte, at) => byte === 0xff && [0xc0, 0xc1, 0xc2].includes(jpeg[at + 1] ?? 0))
  jpeg.writeUInt16BE(20_000, frame + 5)
  jpeg.writeUInt16BE(20_000, frame + 7)
  assert.throws(() => strippedJpeg(jpeg), TooManyPixels)
  for (const png of [sized(10_001, 5_000), sized(20_000, 20_000), sized(0xffffffff, 0xffffffff)]) {
    assert.throws(() => strippedPng(png), TooManyPixels)
  }
})

test('a colour profile that unpacks to more than a megabyte is removed, and a usual one is kept', () => {
  const png = smallPng()
  const withProfile = (bytes: number) =>
    Buffer.concat([
      png.subarray(0, 33),
      chunk('iCCP', Buffer.concat([Buffer.from('p\0\0'), deflateSync(Buffer.alloc(bytes))])),
      png.subarray(33),
    ])
  assert.deepEqual(strippedPng(withProfile(3_000)), withProfile(3_000))
  assert.deepEqual(strippedPng(withProfile(200_000_000)), png)
})

test('only the first colour profile is decompressed and kept, and an image of too many chunks or segments is rejected', () => {
  const png = smallPng()
  const profile = chunk('iCCP', Buffer.concat([Buffer.from('p\0\0'), deflateSync(Buffer.alloc(1_000_000))]))
  const withProfiles = (count: number) =>
    Buffer.concat([png.subarray(0, 33), ...Array(count).fill(profile), png.subarray(33)])
  assert.deepEqual(strippedPng(withProfiles(5_000)), withProfiles(1))
  const empty = chunk('tEXt', Buffer.alloc(0))
  assert.throws(
    () => strippedPng(Buffer.concat([png.subarray(0, 33), ...Array(10_001).fill(empty), png.subarray(33)])),
    /more than 10,000/,
  )
  const jpeg = Buffer.from(JPEG, 'base64')
  const exif = Buffer.from('ffe10008457869660000', 'hex')
  const withSegments = (count: number) =>
    Buffer.concat([jpeg.subarray(0, 2), ...Array(count).fill(exif), jpeg.subarray(2)])
  assert.deepEqual(strippedJpeg(withSegments(5_000)), jpeg)
  assert.throws(() => strippedJpeg(withSegments(10_001)), /more than 10,000/)
})

test('an unreadable orientation is ignored', () => {
  assert.equal(orientationOf(Buffer.from('MM\0*\0\0\0\x08\xff\xff\x01\x12', 'latin1')), null)
  assert.equal(orientationOf(Buffer.alloc(0)), null)
  assert.equal(orientationOf(Buffer.from('II*\0\xff\xff\xff\xff', 'latin1')), null)
  assert.equal(orientationOf(orientationTiff(9)), null)
  for (let value = 1; value <= 8; value++) assert.equal(orientationOf(orientationTiff(value)), value)
})

function smallPng(header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])): Buffer {
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  const pixels = chunk('IDAT', deflateSync(Buffer.from([0, 128])))
  return Buffer.concat([signature, chunk('IHDR', header), pixels, chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
