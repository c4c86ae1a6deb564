import { promisify } from 'node:util'
import { deflate, deflateSync } from 'node:zlib'
import type { Mark } from '../marks.ts'
import { turnsOf } from '../turns.ts'
import { type Cut, hex } from './cut.ts'
import { draw } from './draw.ts'
import { GlyphFonts, toUnicodeCMap } from './glyph-fonts.ts'
import type { Picture } from './picture.ts'
import { placedImage } from './turned.ts'
import { packTrueType } from './woff.ts'

/** The parts of an embedded font that are the same in every document. */
type Embedded = { file: Buffer; fileLength: number; unicode: Buffer; widths: string }

const embedded = new Map<Cut, Promise<Embedded>>()
const deflated = promisify<Buffer, { level: number }, Buffer>(deflate)

/** Computed once per font file, then kept: there are only as many as font files. Compressed in libuv's threads. */
function embed(cut: Cut): Promise<Embedded> {
  const known = embedded.get(cut)
  if (known) return known
  const made = embedNow(cut)
  embedded.set(cut, made)
  // A font that could not be read is tried again.
  made.catch(() => embedded.delete(cut))
  return made
}

async function embedNow(cut: Cut): Promise<Embedded> {
  const file = packTrueType(cut.tables)
  const compressed = await deflated(file, { level: 9 })
  return {
    file: compressed,
    fileLength: file.length,
    unicode: deflateSync(toUnicode(cut)),
    widths: cut.widths.join(' '),
  }
}

/** Glyph number → character. */
function toUnicode({ glyphs }: Cut): string {
  const pairs = new Map<number, string>()
  for (const [character, { id }] of glyphs) {
    if (!pairs.has(id)) pairs.set(id, `<${hex(id)}> <${hex(character)}>`)
  }
  return toUnicodeCMap([...pairs.values()], '<0000> <ffff>')
}

/** A dot of a 203 dpi printer is ⅛ mm; a PDF measures in points. */
const POINTS_PER_DOT = 72 / 25.4 / 8

/** An image on the first page of a proof, in dots: a photo, or the lines of a drawn signature. */
export type Shown =
  | { kind: 'picture'; x: number; y: number; width: number; height: number; picture: Picture }
  | { kind: 'lines'; thick: number; lines: readonly (readonly number[])[] }

/**
 * Writes pages of one size (in dots) as a PDF 1.7 file.
 *
 * Our own writer instead of pdfkit because a clerk waits while a batch of labels is printed: the Latin fonts are
 * embedded once from cached bytes, without shaping or subsetting; glyphs of other scripts are paths. The same pages give the same bytes:
 * the file has no date and no random id.
 */
export async function pdfDocument(
  size: { width: number; height: number },
  pages: Iterable<readonly Mark[]>,
  shown: Shown | null = null,
): Promise<Buffer> {
  const file = new Objects()
  const [catalog, tree, fonts] = [file.reserve(), file.reserve(), file.reserve()]
  const [width, height] = [points(size.width), points(size.height)]
  const names = new Map<Cut, string>()
  const glyphFonts = new GlyphFonts()
  const nameOf = (cut: Cut) => {
    const name = names.get(cut) ?? `F${names.size}`
    names.set(cut, name)
    return name
  }

  const kids: number[] = []
  const turn = turnsOf()
  for (const marks of pages) {
    await turn()
    let drawn = `${POINTS_PER_DOT} 0 0 ${-POINTS_PER_DOT} 0 ${height} cm\n`
    for (const mark of marks) {
      drawn += draw(mark, nameOf, glyphFonts)
      await turn()
    }
    if (kids.length === 0 && shown) drawn += drawShown(shown)
    const content = Buffer.from(drawn, 'latin1')
    const contents = file.stream('/Filter /FlateDecode', deflateSync(content, { level: 1 }))
    await turn()
    kids.push(file.add(`<< /Type /Page /Parent ${tree} 0 R /Contents ${contents} 0 R >>`))
  }
  const entries: string[] = []
  for (const [cut, name] of names) entries.push(`/${name} ${await addFont(file, cut)} 0 R`)
  entries.push(...(await glyphFonts.write(file, turn)))

  const images = shown?.kind === 'picture' ? ` /XObject << /P0 ${addPicture(file, shown.picture)} 0 R >>` : ''
  file.fill(fonts, `<< /Font << ${entries.join(' ')} >>${images} >>`)
  file.fill(
    tree,
    `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] /MediaBox [0 0 ${width} ${height}] /Resources ${fonts} 0 R >>`,
  )
  // Labels must print at their true size: a scaled bar may not scan.
  file.fill(catalog, `<< /Type /Catalog /Pages ${tree} 0 R /ViewerPreferences << /PrintScaling /None >> >>`)
  return file.end(catalog)
}

function drawShown(shown: Shown): string {
  if (shown.kind === 'picture') {
    return `q ${placedImage(shown, shown.picture.orientation)} cm /P0 Do Q\n`
  }
  const paths = shown.lines.map((line) => {
    const points: string[] = []
    for (let at = 0; at + 1 < line.length; at += 2) points.push(`${line[at]} ${line[at + 1]}`)
    return `${points[0]} m ${points
      .slice(1)
      .map((point) => `${point} l `)
      .join('')}S\n`
  })
  return `${shown.thick} w 1 J 1 j\n${paths.join('')}`
}

function addPicture(file: Objects, { width, height, entries, bytes }: Picture): number {
  return file.stream(`/Type /XObject /Subtype /Image /Width ${width} /Height ${height} ${entries}`, bytes)
}

async function addFont(file: Objects, cut: Cut): Promise<number> {
  const { file: bytes, fileLength, unicode, widths } = await embed(cut)
  const name = `/DROVER+${cut.name}`
  const outlines = file.stream(`/Filter /FlateDecode /Length1 ${fileLength}`, bytes)
  const descriptor = file.add(
    `<< /Type /FontDescriptor /FontName ${name} /Flags 4 /FontBBox [${cut.box.join(' ')}] /ItalicAngle 0 /Ascent ${cut.ascent} /Descent ${cut.descent} /CapHeight 686 /StemV 100 /FontFile2 ${outlines} 0 R >>`,
  )
  const glyphs = file.add(
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont ${name} /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor ${descriptor} 0 R /W [0 [${widths}]] /CIDToGIDMap /Identity >>`,
  )
  const meaning = file.stream('/Filter /FlateDecode', unicode)
  return file.add(
    `<< /Type /Font /Subtype /Type0 /BaseFont ${name} /Encoding /Identity-H /DescendantFonts [${glyphs} 0 R] /ToUnicode ${meaning} 0 R >>`,
  )
}

/** The numbered objects of a PDF file, and the table of their offsets. */
class Objects {
  #chunks: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  #length = this.#chunks[0]!.length
  #starts: number[] = []

  reserve(): number {
    return this.#starts.push(0)
  }

  fill(id: number, body: string): void {
    this.#starts[id - 1] = this.#length
    this.#write(Buffer.from(`${id} 0 obj\n${body}\nendobj\n`, 'latin1'))
  }

  add(body: string): number {
    const id = this.reserve()
    this.fill(id, body)
    return id
  }

  stream(entries: string, bytes: Buffer): number {
    const id = this.reserve()
    this.#starts[id - 1] = this.#length
    this.#write(Buffer.from(`${id} 0 obj\n<< ${entries} /Length ${bytes.length} >>\nstream\n`, 'latin1'))
    this.#write(bytes)
    this.#write(Buffer.from('\nendstream\nendobj\n', 'latin1'))
    return id
  }

  end(root: number): Buffer {
    const table = this.#starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('')
    const count = this.#starts.length + 1
    const trailer = `trailer\n<< /Size ${count} /Root ${root} 0 R >>\nstartxref\n${this.#length}\n%%EOF\n`
    this.#write(Buffer.from(`xref\n0 ${count}\n0000000000 65535 f \n${table}${trailer}`, 'latin1'))
    return Buffer.concat(this.#chunks)
  }

  #write(bytes: Buffer): void {
    this.#chunks.push(bytes)
    this.#length += bytes.length
  }
}

function points(dots: number): number {
  return Math.round(dots * POINTS_PER_DOT * 1000) / 1000
}
