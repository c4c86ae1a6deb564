import type { Bars, Diamond, Frame, Mark, Squares, Text } from '../marks.ts'
import { isPlainLatin, layOutLine } from '../script/line.ts'
import type { Cut } from './cut.ts'
import { CAPITALS, type FaceName, face, widthOf } from './face.ts'
import type { GlyphFonts } from './glyph-fonts.ts'

/**
 * The operators that draw a mark, in dots with y downwards (`pdfDocument` sets that up).
 *
 * Text is written as glyph numbers, never as characters, so no caller's text can become an operator. `nameOf`
 * returns the page's name of a font, and `glyphFonts` has the glyphs of other scripts.
 */
export function draw(mark: Mark, nameOf: (cut: Cut) => string, glyphFonts: GlyphFonts): string {
  if (mark.kind === 'text') return text(mark, nameOf, glyphFonts)
  if (mark.kind === 'fill') return `${mark.x} ${mark.y} ${mark.width} ${mark.height} re f\n`
  if (mark.kind === 'frame') return frame(mark)
  if (mark.kind === 'diamond') return diamond(mark)
  if (mark.kind === 'bars') return bars(mark)
  return squares(mark)
}

function text(mark: Text, nameOf: (cut: Cut) => string, glyphFonts: GlyphFonts): string {
  const { x, y, width, size, face: name, align, white, text, rightToLeft = false } = mark
  const line = isPlainLatin(mark) ? null : layOutLine(name, text, rightToLeft)
  const spare = align === 'left' ? 0 : width - ((line?.width ?? widthOf(name, text)) * size) / 1000
  const left = x + (align === 'centre' ? spare / 2 : spare)
  const baseline = y + CAPITALS * size
  let out = ''
  for (const run of line?.runs ?? [{ kind: 'latin' as const, text, x: 0 }]) {
    const from = left + (run.x * size) / 1000
    if (run.kind === 'latin') out += latin(name, run.text, { size, x: from, y: baseline }, nameOf)
    else {
      for (const glyph of run.glyphs) {
        const { name: font, code } = glyphFonts.add(run.font, run.weight, glyph)
        const [across, down] = [from + (glyph.x * size) / 1000, baseline - (glyph.y * size) / 1000]
        const type = `/${font} ${round(size * run.font.family.scale)} Tf`
        out += `BT 1 0 0 -1 ${round(across)} ${round(down)} Tm ${type} <${code}> Tj ET\n`
      }
    }
  }
  return white && out !== '' ? `1 g ${out}0 g\n` : out
}

type Place = { size: number; x: number; y: number }

function latin(name: FaceName, text: string, { size, x, y }: Place, nameOf: (cut: Cut) => string): string {
  const { glyphs } = face(name)
  let cut: Cut | null = null
  let shown = ''
  for (const character of text) {
    const glyph = glyphs.get(character.codePointAt(0)!)
    if (!glyph) continue
    if (glyph.cut !== cut) {
      shown += `${cut ? '> Tj ' : ''}/${nameOf(glyph.cut)} ${size} Tf <`
      cut = glyph.cut
    }
    shown += glyph.hex
  }
  return cut ? `BT 1 0 0 -1 ${round(x)} ${round(y)} Tm ${shown}> Tj ET\n` : ''
}

function frame({ x, y, width, height, line }: Frame): string {
  return `${line} w ${x + line / 2} ${y + line / 2} ${width - line} ${height - line} re S\n`
}

function diamond({ x, y, size, line }: Diamond): string {
  const [half, near] = [size / 2, line]
  const corners = `${x + half} ${y + near} m ${x + size - near} ${y + half} l ${x + half} ${y + size - near} l`
  return `${line} w ${corners} ${x + near} ${y + half} l s\n`
}

function bars({ x, y, height, module, widths }: Bars): string {
  let out = ''
  let left = x
  for (const [index, width] of widths.entries()) {
    if (index % 2 === 0) out += `${round(left)} ${y} ${round(width * module)} ${height} re\n`
    left += width * module
  }
  return `${out}f\n`
}

/** Adjacent squares of a row form one rectangle, and all are one path: no viewer shows a hairline between them. */
function squares({ x, y, module, matrix: { size, modules } }: Squares): string {
  let out = ''
  for (let row = 0; row < size; row++) {
    for (let from = 0; from < size; from++) {
      if (!modules[row * size + from]) continue
      let to = from + 1
      while (to < size && modules[row * size + to]) to++
      out += `${x + from * module} ${y + row * module} ${(to - from) * module} ${module} re\n`
      from = to
    }
  }
  return `${out}f\n`
}

function round(dots: number): number {
  return Math.round(dots * 100) / 100
}
