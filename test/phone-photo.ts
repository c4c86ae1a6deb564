import { JPEG } from './driver.ts'

/** Metadata that a phone writes beside a photo, each in its own segment. */
export const METADATA = [
  'Pixel 9 Pro of Sam',
  '37.8 S',
  'made at home',
  'xmp:CreatorTool',
  'a second picture',
]

/**
 * A complete JPEG as phones make them: EXIF with maker, orientation and GPS, XMP, a comment, and a video after its
 * end.
 */
export function phonePhoto(orientation: number): Buffer {
  const [maker = '', place = '', comment = '', xmp = '', trailer = ''] = METADATA
  const picture = Buffer.from(JPEG, 'base64')
  return Buffer.concat([
    picture.subarray(0, 2),
    segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exif(orientation, maker, place)])),
    segment(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0<x ${xmp}="1"/>`)),
    segment(0xfe, Buffer.from(comment)),
    picture.subarray(2),
    Buffer.from(trailer),
  ])
}

function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}

/** Little-endian: maker, orientation and a pointer to the GPS directory, which has one text. */
function exif(orientation: number, maker: string, place: string): Buffer {
  const entry = (tag: number, type: number, count: number, value: number) => {
    const bytes = Buffer.alloc(12)
    bytes.writeUInt16LE(tag, 0)
    bytes.writeUInt16LE(type, 2)
    bytes.writeUInt32LE(count, 4)
    bytes.writeUInt32LE(value, 8)
    return bytes
  }
  const directory = (...entries: Buffer[]) => {
    const count = Buffer.alloc(2)
    count.writeUInt16LE(entries.length)
    return Buffer.concat([count, ...entries, Buffer.alloc(4)])
  }
  const gpsAt = 8 + 2 + 3 * 12 + 4
  const textsAt = gpsAt + 2 + 12 + 4
  const head = Buffer.from('II*\0\x08\0\0\0', 'latin1')
  return Buffer.concat([
    head,
    directory(
      entry(0x010f, 2, maker.length, textsAt),
      entry(0x0112, 3, 1, orientation),
      entry(0x8825, 4, 1, gpsAt),
    ),
    directory(entry(0x001d, 2, place.length, textsAt + maker.length)),
    Buffer.from(maker + place),
  ])
}
