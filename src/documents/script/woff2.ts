import type { FontTables } from '../pdf/woff.ts'

/** The tags that a WOFF 2 directory abbreviates to their place in this list (W3C recommendation 2024-08-08, 5.1). */
const TAGS =
  'cmap head hhea hmtx maxp name OS/2 post cvt_ fpgm glyf loca prep CFF_ VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG_ sbix acnt avar bdat bloc bsln cvar fdsc feat fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill'
    .split(' ')
    .map((tag) => tag.replace('_', ' '))

/**
 * Unpacks a WOFF 2 file with TrueType outlines: one Brotli stream (`packedTables`), in which the outlines (5.1) and
 * their side bearings (5.4) are rearranged. Hinting is left out: nothing here is drawn by a hinting rasteriser. It yields
 * between glyphs, so that its caller can let other work run.
 */
export function* unpackTables(file: Buffer, unpacked: Buffer): Generator<void, FontTables> {
  const { entries } = directoryOf(file)
  const stream = new Reader(unpacked)
  const tables = new Map<string, Buffer>()
  const transformed = new Set<string>()
  for (const { tag, isTransformed, length } of entries) {
    tables.set(tag, stream.take(length))
    if (isTransformed) transformed.add(tag)
  }
  if (!transformed.has('glyf')) return tables
  const { glyf, loca, xMins } = yield* rebuildGlyphs(tables.get('glyf') as Buffer)
  const head = Buffer.from(tables.get('head') as Buffer)
  head.writeInt16BE(1, 50) // `loca` has offsets of four bytes.
  tables.set('glyf', glyf).set('loca', loca).set('head', head)
  if (transformed.has('hmtx')) {
    const count = (tables.get('hhea') as Buffer).readUInt16BE(34)
    tables.set('hmtx', rebuildMetrics(tables.get('hmtx') as Buffer, count, xMins))
  }
  return tables
}

/** The Brotli stream of a WOFF 2 file. */
export function packedTables(file: Buffer): Buffer {
  return directoryOf(file).reader.take(file.readUInt32BE(20))
}

function directoryOf(file: Buffer) {
  if (file.toString('latin1', 0, 4) !== 'wOF2') throw new Error('Not a WOFF 2 font.')
  const reader = new Reader(file, 48)
  const entries = Array.from({ length: file.readUInt16BE(12) }, () => {
    const flags = reader.u8()
    const tag = (flags & 63) === 63 ? reader.take(4).toString('latin1') : (TAGS[flags & 63] as string)
    const length = reader.base128()
    const version = flags >> 6
    const isTransformed = tag === 'glyf' || tag === 'loca' ? version === 0 : version !== 0
    return { tag, isTransformed, length: isTransformed ? reader.base128() : length }
  })
  return { reader, entries }
}

class Reader {
  readonly bytes: Buffer
  at: number
  constructor(bytes: Buffer, at = 0) {
    this.bytes = bytes
    this.at = at
  }
  u8(): number {
    return this.bytes.readUInt8(this.at++)
  }
  u16(): number {
    this.at += 2
    return this.bytes.readUInt16BE(this.at - 2)
  }
  take(length: number): Buffer {
    this.at += length
    return this.bytes.subarray(this.at - length, this.at)
  }
  base128(): number {
    let value = 0
    for (;;) {
      const byte = this.u8()
      value = value * 128 + (byte & 127)
      if (byte < 128) return value
    }
  }
  /** `255UInt16` of the recommendation. */
  short(): number {
    const code = this.u8()
    if (code === 253) return this.u16()
    if (code === 255) return this.u8() + 253
    return code === 254 ? this.u8() + 506 : code
  }
}

type Streams = Record<'contours' | 'points' | 'flags' | 'glyphs' | 'parts' | 'boxes', Reader>

function* rebuildGlyphs(packed: Buffer): Generator<void, { glyf: Buffer; loca: Buffer; xMins: Int16Array }> {
  const count = packed.readUInt16BE(4)
  let at = 36
  const names = ['contours', 'points', 'flags', 'glyphs', 'parts', 'boxes'] as const
  const streams = Object.fromEntries(
    names.map((name, index) => {
      const length = packed.readUInt32BE(8 + index * 4)
      at += length
      return [name, new Reader(packed.subarray(at - length, at))]
    }),
  ) as Streams
  const hasBox = streams.boxes.take(4 * Math.ceil(count / 32))
  const glyphs = new Output(packed.length * 2)
  const loca = Buffer.alloc(4 * (count + 1))
  const xMins = new Int16Array(count)
  for (let id = 0; id < count; id++) {
    const contours = streams.contours.bytes.readInt16BE(id * 2)
    const box = ((hasBox[id >> 3] as number) >> (7 - (id & 7))) & 1 ? streams.boxes.take(8) : null
    const start = glyphs.length
    if (contours > 0) simple(contours, box, streams, glyphs)
    else if (contours < 0) composite(box, streams, glyphs)
    if (glyphs.length > start) xMins[id] = glyphs.written().readInt16BE(start + 2)
    loca.writeUInt32BE(glyphs.length, 4 * (id + 1))
    if (id % 16 === 15) yield
  }
  return { glyf: glyphs.written(), loca, xMins }
}

/** All glyphs in one buffer: a buffer for each of them, 33,000 in all, kept tens of megabytes of the process fragmented. */
class Output {
  #bytes: Buffer
  length = 0
  constructor(capacity: number) {
    this.#bytes = Buffer.alloc(capacity)
  }
  /** The next bytes, all zero, to be written at once. */
  next(size: number): Buffer {
    const end = this.length + size
    if (end > this.#bytes.length)
      this.#bytes = Buffer.concat([this.written(), Buffer.alloc(Math.max(size, this.length))])
    const next = this.#bytes.subarray(this.length, end)
    this.length = end
    return next
  }
  written(): Buffer {
    return this.#bytes.subarray(0, this.length)
  }
}

/** Every coordinate as two bytes, every flag written out: longer than a font tool would make it, and as valid. */
function simple(
  contours: number,
  box: Buffer | null,
  { points, flags, glyphs }: Streams,
  output: Output,
): void {
  const ends: number[] = []
  let total = 0
  for (let contour = 0; contour < contours; contour++) {
    total += points.short()
    ends.push(total - 1)
  }
  const size = 10 + contours * 2 + 2 + total * 5
  const out = output.next(size + (size % 2))
  out.writeInt16BE(contours, 0)
  for (const [index, end] of ends.entries()) out.writeUInt16BE(end, 10 + index * 2)
  const flagsAt = 10 + contours * 2 + 2
  let [x, y] = [0, 0]
  const bounds = { xMin: Infinity, yMin: Infinity, xMax: -Infinity, yMax: -Infinity }
  for (let point = 0; point < total; point++) {
    const flag = flags.u8()
    const [dx, dy] = triplet(flag & 127, glyphs)
    ;[x, y] = [x + dx, y + dy]
    out.writeUInt8(flag >> 7 ? 0 : 1, flagsAt + point)
    out.writeInt16BE(dx, flagsAt + total + point * 2)
    out.writeInt16BE(dy, flagsAt + total * 3 + point * 2)
    bounds.xMin = Math.min(bounds.xMin, x)
    bounds.yMin = Math.min(bounds.yMin, y)
    bounds.xMax = Math.max(bounds.xMax, x)
    bounds.yMax = Math.max(bounds.yMax, y)
  }
  glyphs.short() // The length of the instructions, which are left out.
  if (box) box.copy(out, 2)
  else
    for (const [index, name] of (['xMin', 'yMin', 'xMax', 'yMax'] as const).entries())
      out.writeInt16BE(bounds[name], 2 + index * 2)
}

/** A point's distance from the one before it; how many bytes it has, and their meaning, is in the flag (5.2). */
function triplet(flag: number, from: Reader): [number, number] {
  const signed = (bit: number, value: number) => (bit & 1 ? value : -value)
  const a = from.u8()
  if (flag < 10) return [0, signed(flag, ((flag & 14) << 7) + a)]
  if (flag < 20) return [signed(flag, (((flag - 10) & 14) << 7) + a), 0]
  if (flag < 84) {
    const base = flag - 20
    return [
      signed(flag, 1 + (base & 0x30) + (a >> 4)),
      signed(flag >> 1, 1 + ((base & 0x0c) << 2) + (a & 15)),
    ]
  }
  const b = from.u8()
  if (flag < 120) {
    const base = flag - 84
    const across = 1 + (Math.floor(base / 12) << 8) + a
    return [signed(flag, across), signed(flag >> 1, 1 + (((base % 12) >> 2) << 8) + b)]
  }
  const c = from.u8()
  if (flag < 124) return [signed(flag, (a << 4) + (b >> 4)), signed(flag >> 1, ((b & 15) << 8) + c)]
  return [signed(flag, (a << 8) + b), signed(flag >> 1, (c << 8) + from.u8())]
}

const [WORDS, SCALE, MORE, TWO_SCALES, MATRIX, INSTRUCTIONS] = [1, 8, 32, 64, 128, 256]

function composite(box: Buffer | null, { parts, glyphs }: Streams, output: Output): void {
  if (!box) throw new Error('A composite glyph has no bounding box.')
  const components: Buffer[] = []
  let flags = MORE
  let hasInstructions = false
  while (flags & MORE) {
    flags = parts.bytes.readUInt16BE(parts.at)
    if (flags & INSTRUCTIONS) hasInstructions = true
    const scale = flags & SCALE ? 2 : flags & TWO_SCALES ? 4 : flags & MATRIX ? 8 : 0
    const component = Buffer.from(parts.take(4 + (flags & WORDS ? 4 : 2) + scale))
    component.writeUInt16BE(flags & ~INSTRUCTIONS, 0)
    components.push(component)
  }
  if (hasInstructions) glyphs.short()
  const body = Buffer.concat([Buffer.from([0xff, 0xff]), box, ...components])
  body.copy(output.next(body.length + (body.length % 2)))
}

function rebuildMetrics(packed: Buffer, measured: number, xMins: Int16Array): Buffer {
  const flags = packed.readUInt8(0)
  const out = Buffer.alloc(measured * 4 + (xMins.length - measured) * 2)
  let bearingsAt = 1 + measured * 2
  for (let id = 0; id < xMins.length; id++) {
    const isLeftOut = flags & (id < measured ? 1 : 2)
    const bearing = isLeftOut ? (xMins[id] as number) : packed.readInt16BE(bearingsAt)
    if (!isLeftOut) bearingsAt += 2
    if (id < measured) {
      out.writeUInt16BE(packed.readUInt16BE(1 + id * 2), id * 4)
      out.writeInt16BE(bearing, id * 4 + 2)
    } else out.writeInt16BE(bearing, measured * 4 + (id - measured) * 2)
  }
  return out
}
