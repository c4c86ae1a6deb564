import { deflateSync } from 'node:zlib'
import type { OrderSummary } from '../../src/documents/order-summary.ts'
import type { ProofOfDelivery } from '../../src/documents/proof-of-delivery.ts'
import { ARTICLE, LABEL } from '../../test/documents/label-examples.ts'

const MIB = 1024 * 1024

/** The usual maximum of labels for one booking's parcels, which the first measurements used. */
export function labels(count: number, isChinese: boolean) {
  return Array.from({ length: count }, (_, at) => ({
    ...LABEL,
    reference: `WC-${10_000 + at}`,
    to: isChinese
      ? { ...LABEL.to, name: chineseName(at), company: `${chineseName(at + 1)}有限公司` }
      : { ...LABEL.to, name: `Luca Marino ${at}` },
    specialInstructions: isChinese ? '请放在侧门绿色垃圾桶后面，谢谢。' : LABEL.specialInstructions,
    articles: [{ ...ARTICLE, articleId: `SPA${1_000_000 + at}` }],
  }))
}

/** Each label has different characters, from 500 common ones: shops send to many different people. */
function chineseName(at: number): string {
  return [0, 1, 2].map((n) => String.fromCodePoint(0x4e00 + ((at * 37 + n * 101) % 500))).join('')
}

export function proof(image: ProofOfDelivery['image']): ProofOfDelivery {
  return {
    reference: 'WC-10473',
    deliveryId: 'dlv_01JDEXAMPLE0000000000000A1',
    consignmentNumber: 'OWN-1',
    store: 'Wattle & Co Fitzroy',
    from: 'Wattle & Co Fitzroy',
    to: 'Luca Marino, 88 Hyde Street, Footscray VIC 3011',
    driverName: 'Ngaire Cooper',
    how: 'Photo',
    signedBy: null,
    deliveredAt: '2026-11-24T14:30:00+11:00',
    receivedAt: '2026-11-24T14:30:05+11:00',
    position: { lat: -37.8, lng: 144.9 },
    image,
    strokes: null,
    sandbox: false,
  }
}

export function summary(lines: number): OrderSummary {
  return {
    carrierName: 'Southern Parcels',
    group: 'ROAD',
    dangerousGoods: true,
    manifestId: 'man_01JDEXAMPLE0000000000000A1',
    orderId: 'SP-ORDER-1',
    sandbox: false,
    store: { name: 'Wattle & Co Fitzroy', place: '250 Brunswick St, Fitzroy' },
    madeAt: '2026-11-24T14:30:00+11:00',
    submittedAt: '2026-11-24T14:31:00+11:00',
    totalCost: 1_000,
    lines: Array.from({ length: lines }, (_, at) => ({
      reference: `WC-${10_000 + at}`,
      consignmentNumber: `SP${1_000_000 + at}`,
      to: 'Footscray VIC 3011',
      units: 3,
      weightKg: 6.3,
      articleIds: [1, 2, 3].map((n) => `SPA${1_000_000 + at}-${n}`),
      dangerousGoods: '3 UN1266, 9 UN3481',
    })),
  }
}

/** A JPEG of 50 megapixels with the longest accepted file: markers and size are real, its samples are noise. */
export function largestJpeg(): Buffer {
  const [width, height] = [10_000, 5_000]
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0])
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  const scan = Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0])
  const samples = noise(5 * MIB - 100)
  // A stuffed zero after each 0xff, as in every JPEG's samples.
  for (let at = samples.indexOf(0xff); at !== -1; at = samples.indexOf(0xff, at + 1)) samples[at + 1] = 0
  samples[samples.length - 1] = 0
  return Buffer.concat([Buffer.from([0xff, 0xd8]), frame, scan, samples, Buffer.from([0xff, 0xd9])])
}

/** A PNG of 2000 × 2000 with transparency, as a canvas writes it; the costliest filter, noise in each row. */
export function transparentPng(): Buffer {
  const side = 2_000
  const raw = Buffer.alloc((side * 4 + 1) * side)
  const row = noise(side * 4).map((byte) => byte & 3)
  for (let y = 0; y < side; y++) {
    raw[y * (side * 4 + 1)] = 4
    raw.set(row, y * (side * 4 + 1) + 1)
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([8, 6, 0, 0, 0], 8)
  const chunk = (name: string, data: Buffer) => {
    const out = Buffer.alloc(12 + data.length)
    out.writeUInt32BE(data.length, 0)
    out.write(name, 4, 'latin1')
    out.set(data, 8)
    return out
  }
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(raw, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A carrier's response of nearly 4 MB with as many values as are accepted. */
export function carrierAnswer(): Buffer {
  const entry = { id: 'SP1000000', n: 1, s: 'In transit to the depot' }
  const one = JSON.stringify(entry)
  const count = Math.min(Math.floor((4 * MIB - 100) / (one.length + 1)), 60_000)
  return Buffer.from(`{"items":[${Array.from({ length: count }, () => one).join(',')}]}`)
}

/** The same bytes in every run (a linear congruential generator). */
function noise(length: number): Buffer {
  const bytes = Buffer.alloc(length)
  let state = 42
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes[at] = state >>> 24
  }
  return bytes
}
