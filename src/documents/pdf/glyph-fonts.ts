import { deflateSync } from 'node:zlib'
import type { ScriptFont } from '../script/fonts.ts'
import { type Outline, outlineOf, type ShapedGlyph } from '../script/shaper.ts'

/** What the glyph fonts need of the file that they are written to (`document.ts`). */
type Target = { add(body: string): number; stream(entries: string, bytes: Buffer): number }

type Glyph = { outline: Outline; advance: number; text: string }

/** A Type 3 font has one byte for a glyph. */
const MAX_GLYPHS = 256

/**
 * The glyphs of other scripts in one document, as Type 3 fonts (ISO 32000-1, 9.6.5): each glyph is a path, and has the
 * characters that it stands for, so that text can be searched and copied. Only the glyphs that are used are embedded.
 */
export class GlyphFonts {
  readonly #glyphs: Glyph[] = []
  readonly #places = new Map<string, number>()

  /** The page's name of the font with the glyph, and the glyph's code in it as a PDF string. */
  add(font: ScriptFont, weight: number, { id, advance, text }: ShapedGlyph): { name: string; code: string } {
    const key = `${font.name} ${weight} ${id} ${text}`
    let place = this.#places.get(key)
    if (place === undefined) {
      place = this.#glyphs.push({ outline: outlineOf(font, weight, id), advance, text }) - 1
      this.#places.set(key, place)
    }
    return {
      name: `G${Math.floor(place / MAX_GLYPHS)}`,
      code: (place % MAX_GLYPHS).toString(16).padStart(2, '0'),
    }
  }

  /** Writes the fonts; returns the entries of the page's font dictionary. Other work has its turn between the glyphs. */
  async write(file: Target, turn: () => Promise<void> | null): Promise<string[]> {
    for (const { outline, advance } of this.#glyphs) {
      drawingOf(outline, advance)
      await turn()
    }
    const entries: string[] = []
    for (let from = 0; from < this.#glyphs.length; from += MAX_GLYPHS) {
      const id = addFont(file, this.#glyphs.slice(from, from + MAX_GLYPHS))
      entries.push(`/G${from / MAX_GLYPHS} ${id} 0 R`)
      await turn()
    }
    return entries
  }
}

function addFont(file: Target, glyphs: readonly Glyph[]): number {
  const drawings = glyphs.map(({ outline, advance }) => drawingOf(outline, advance))
  const paths = drawings.map(({ bytes }) => file.stream('/Filter /FlateDecode', bytes))
  const names = glyphs.map((_, index) => `/g${index}`).join(' ')
  const paint = paths.map((path, index) => `/g${index} ${path} 0 R`).join(' ')
  const widths = glyphs.map(({ advance }) => advance).join(' ')
  const unicode = file.stream('/Filter /FlateDecode', deflateSync(Buffer.from(toUnicode(glyphs))))
  return file.add(
    `<< /Type /Font /Subtype /Type3 /FontBBox [${drawings
      .map(({ box }) => box)
      .reduce(union, LETTER)
      .join(
        ' ',
      )}] /FontMatrix [0.001 0 0 0.001 0 0] /Resources << >> /CharProcs << ${paint} >> /Encoding << /Type /Encoding /Differences [0 ${names}] >> /FirstChar 0 /LastChar ${glyphs.length - 1} /Widths [${widths}] /ToUnicode ${unicode} 0 R >>`,
  )
}

type Drawing = { bytes: Buffer; box: Box }
const drawings = new WeakMap<Outline, Drawing>()

/** The compressed path of a glyph: the same in every document, and kept as long as its outline. */
function drawingOf(outline: Outline, advance: number): Drawing {
  const known = drawings.get(outline)
  if (known) return known
  const box = boxOf(outline)
  const bytes = deflateSync(Buffer.from(`${advance} 0 ${box.join(' ')} d1\n${pathOf(outline)}`))
  const made = { bytes, box }
  drawings.set(outline, made)
  return made
}

type Box = readonly [left: number, bottom: number, right: number, top: number]

/** Of an ordinary letter: a reader takes the line height from the font's box. */
const LETTER: Box = [0, -250, 1000, 900]

function boxOf(outline: Outline): Box {
  const points = outline.flatMap(([, ...values]) => values)
  const [xs, ys] = [0, 1].map((half) => [0, ...points.filter((_, index) => index % 2 === half)])
  return [Math.min(...xs!), Math.min(...ys!), Math.max(...xs!), Math.max(...ys!)]
}

function union(a: Box, b: Box): Box {
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])]
}

const OPERATORS = { M: 'm', L: 'l', C: 'c', Z: 'h' } as const

function pathOf(outline: Outline): string {
  if (outline.length === 0) return ''
  return `${outline.map(([command, ...points]) => [...points, OPERATORS[command]].join(' ')).join('\n')}\nf`
}

/** A joiner: a reader would invent a letter for a glyph without text, such as the second one of a syllable. */
const NO_TEXT = '200d'

function toUnicode(glyphs: readonly Glyph[]): string {
  const lines = glyphs.map(({ text }, index) => {
    const units = Array.from({ length: text.length }, (_, at) => hex(text.charCodeAt(at), 4)).join('')
    return `<${hex(index, 2)}> <${units || NO_TEXT}>`
  })
  return toUnicodeCMap(lines, '<00> <ff>')
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0')
}

/**
 * ToUnicode CMap of an embedded font: which characters each code of a text stands for, so that text can be searched,
 * copied and read aloud (Adobe technical note 5014). `pairs`: lines of `<code> <UTF-16>`. `codes`: the range of codes.
 */
export function toUnicodeCMap(pairs: readonly string[], codes: '<00> <ff>' | '<0000> <ffff>'): string {
  const blocks: string[] = []
  // A block may hold 100 pairs at most.
  for (let at = 0; at < pairs.length; at += 100) {
    const block = pairs.slice(at, at + 100)
    blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`)
  }
  return `/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def /CMapType 2 def
1 begincodespacerange ${codes} endcodespacerange
${blocks.join('\n')}
endcmap CMapName currentdict /CMap defineresource pop end end`
}
