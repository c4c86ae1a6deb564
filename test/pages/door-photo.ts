import { crc32, deflateSync } from 'node:zlib'

const SIZE = { width: 480, height: 640 }

/** A photo for a proof: a parcel before a blue door. A PNG, a different one each time. */
export function doorPhoto(): Buffer {
  const { width, height } = SIZE
  const rows = Buffer.alloc(height * (1 + width * 3))
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rows.set(colourAt(x, y), y * (1 + width * 3) + 1 + x * 3)
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits a channel, red, green and blue.
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND')])
}

function colourAt(x: number, y: number): [number, number, number] {
  const inside = (left: number, top: number, right: number, bottom: number) =>
    x >= left && x < right && y >= top && y < bottom
  if (inside(190, 400, 320, 520)) return inside(245, 400, 262, 520) ? [216, 187, 139] : [195, 154, 102]
  if (inside(120, 0, 380, 490)) return [53, 97, 138]
  return y < 490 ? [141, 131, 120] : [109, 103, 95]
}

function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
