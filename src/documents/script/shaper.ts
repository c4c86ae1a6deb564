import { setImmediate as nextTurn } from 'node:timers/promises'
import type * as HarfBuzz from 'harfbuzzjs'
import type { Cut } from '../pdf/cut.ts'
import { packTrueType } from '../pdf/woff.ts'
import type { ScriptFont } from './fonts.ts'

/** A glyph of a run, in per mille of the type size, from the run's left edge and its baseline; y is upwards. */
export type ShapedGlyph = { id: number; x: number; y: number; advance: number; text: string }
/** A path in per mille of the type size: `M x y`, `L x y`, `C x1 y1 x2 y2 x y`, `Z`. */
export type Outline = readonly (readonly [command: 'M' | 'L' | 'C' | 'Z', ...points: number[]])[]
/** The glyphs of a font that is read for its outlines: one of a script, or one of our Latin files. */
export type OutlineFont = ScriptFont | Cut

type BidiFactory = () => Bidi
type Bidi = {
  getEmbeddingLevels(text: string, direction?: 'ltr' | 'rtl'): { levels: Uint8Array }
  getMirroredCharacter(character: string): string | null
}
type Engine = { hb: typeof HarfBuzz; bidi: Bidi }

let engine: Engine | null = null

/**
 * Loads HarfBuzz and the bidirectional algorithm (1 MB of code): once in a process, when a text first needs them. Only
 * this is asynchronous; until then `isShaperLoaded` is false and texts are transliterated.
 */
export async function loadShaper(): Promise<void> {
  if (engine) return
  const hb = await import('harfbuzzjs')
  await nextTurn()
  const bidi = await import('bidi-js')
  await nextTurn()
  const factory = bidi.default as BidiFactory | { default: BidiFactory }
  engine = { hb, bidi: (typeof factory === 'function' ? factory : factory.default)() }
}

export function isShaperLoaded(): boolean {
  return engine !== null
}

function loaded(): Engine {
  if (!engine) throw new Error('The shaper is not loaded: call loadShaper first.')
  return engine
}

/** The embedding level of each UTF-16 unit (Unicode Standard Annex 9): odd levels run from right to left. */
export function bidiLevels(text: string, isRightToLeft: boolean): Uint8Array {
  return loaded().bidi.getEmbeddingLevels(text, isRightToLeft ? 'rtl' : 'ltr').levels
}

export function mirrored(character: string): string {
  return loaded().bidi.getMirroredCharacter(character) ?? character
}

/** HarfBuzz's copies of the fonts, freed with the font (`fonts.ts`); one file has all weights. */
const hbFaces = new WeakMap<OutlineFont, HarfBuzz.Face>()
const hbFonts = new WeakMap<HarfBuzz.Face, Map<number, HarfBuzz.Font>>()

function hbFont(font: OutlineFont, weight: number): HarfBuzz.Font {
  const { hb } = loaded()
  let face = hbFaces.get(font)
  if (!face) {
    const file = 'takeFile' in font ? font.takeFile() : packTrueType(font.tables)
    face = new hb.Face(new hb.Blob(file))
    hbFaces.set(font, face)
  }
  const weights = hbFonts.get(face) ?? new Map<number, HarfBuzz.Font>()
  hbFonts.set(face, weights)
  const known = weights.get(weight)
  if (known) return known
  const made = new hb.Font(face)
  made.setScale(1000, 1000)
  if ('takeFile' in font) made.setVariations([new hb.Variation('wght', weight)])
  weights.set(weight, made)
  return made
}

type Run = { glyphs: readonly ShapedGlyph[]; width: number }
const runs = new Map<string, Run>()
/** Words that are kept: a label is measured at many sizes, and its words are the same at each. */
const MAX_RUNS = 2_000

/** The glyphs of one run from left to right, as HarfBuzz selects and places them. */
export function shapeRun(text: string, font: ScriptFont, weight: number, isRightToLeft: boolean): Run {
  const key = `${font.name} ${weight} ${isRightToLeft} ${text}`
  const known = runs.get(key)
  if (known) return known
  const { hb } = loaded()
  const buffer = new hb.Buffer()
  buffer.addText(text)
  buffer.guessSegmentProperties()
  buffer.setDirection(isRightToLeft ? hb.Direction.RTL : hb.Direction.LTR)
  hb.shape(hbFont(font, weight), buffer)
  const placed = buffer.getGlyphInfosAndPositions()
  const starts = [...new Set(placed.map(({ cluster }) => cluster))].sort((a, b) => a - b)
  const written = new Set<number>()
  const glyphs: ShapedGlyph[] = []
  let x = 0
  for (const { codepoint: id, cluster, xAdvance = 0, xOffset = 0, yOffset = 0 } of placed) {
    // The first glyph of a cluster has its text, the others none: copied text has each character once.
    const end = starts[starts.indexOf(cluster) + 1] ?? text.length
    const meaning = written.has(cluster) ? '' : text.slice(cluster, end)
    written.add(cluster)
    glyphs.push({ id, x: x + xOffset, y: yOffset, advance: xAdvance, text: meaning })
    x += xAdvance
  }
  const run = { glyphs, width: x }
  if (runs.size >= MAX_RUNS) runs.clear()
  runs.set(key, run)
  return run
}

const outlines = new Map<string, Outline>()
/** An outline of a Chinese character takes 8 kB. */
const MAX_OUTLINES = 1_000

export function outlineOf(font: OutlineFont, weight: number, id: number): Outline {
  const key = `${font.name} ${weight} ${id}`
  const known = outlines.get(key)
  if (known) return known
  const made: [command: 'M' | 'L' | 'C' | 'Z', ...points: number[]][] = []
  let [x, y] = [0, 0]
  for (const { type, values } of hbFont(font, weight).glyphToJson(id)) {
    if (type === 'Q') {
      const [x1, y1, x2, y2] = values as [number, number, number, number]
      const between = (from: number, to: number) => round(from + ((to - from) * 2) / 3)
      made.push(['C', between(x, x1), between(y, y1), between(x2, x1), between(y2, y1), x2, y2])
    } else made.push([type as 'M' | 'L' | 'C' | 'Z', ...values.map(round)])
    if (values.length >= 2) [x, y] = values.slice(-2) as [number, number]
  }
  if (outlines.size >= MAX_OUTLINES) outlines.clear()
  outlines.set(key, made)
  return made
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
