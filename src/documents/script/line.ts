import { type FaceName, face, widthOf } from '../pdf/face.ts'
import { fullWidthOf } from './families.ts'
import { fontFor, type ScriptFont } from './fonts.ts'
import { bidiLevels, isShaperLoaded, mirrored, type ShapedGlyph, shapeRun } from './shaper.ts'

/** A run of one font in a line, `x` from the line's left edge; measures in per mille of the type size. */
export type Run = { x: number; width: number } & (
  | { kind: 'latin'; text: string }
  | { kind: 'script'; font: ScriptFont; weight: number; glyphs: readonly ShapedGlyph[] }
)
type LineText = { face: FaceName; text: string; rightToLeft?: boolean }
export type Line = { runs: readonly Run[]; width: number }

/** The weights beside our Latin typefaces (`face.ts`). */
const WEIGHTS: Record<FaceName, number> = { plain: 500, bold: 700, code: 600 }

const widths = new Map<string, number>()
const MAX_WIDTHS = 5_000

/** The width of a line in per mille of the type size, whatever its scripts. */
export function lineWidth(name: FaceName, text: string): number {
  if (isLatin(name, text)) return widthOf(name, text)
  const fullWidth = fullWidthOf(text)
  if (fullWidth !== null) return fullWidth
  const key = `${name} ${text}`
  const known = widths.get(key)
  if (known !== undefined) return known
  const { width } = layOutLine(name, text, isRightToLeft(text))
  if (widths.size >= MAX_WIDTHS) widths.clear()
  widths.set(key, width)
  return width
}

/** Whether the Latin typeface has all of it, or no other font can be used. */
export function isLatin(name: FaceName, text: string): boolean {
  if (/^[\x20-\x7e]*$/.test(text) || !isShaperLoaded()) return true
  const { glyphs } = face(name)
  for (const character of text) if (!glyphs.has(character.codePointAt(0) as number)) return false
  return true
}

/** Whether a line is drawn in the Latin typeface as it is written, without a layout of its own. */
export function isPlainLatin({ face, text, rightToLeft }: LineText): boolean {
  return !rightToLeft && isLatin(face, text)
}

/** The direction of a paragraph: that of its first letter (Unicode Standard Annex 9, P2 and P3). */
export function isRightToLeft(text: string): boolean {
  if (!/[\u0590-\u08ff\ufb1d-\ufefc]/.test(text)) return false
  const [letter] = /\p{L}/u.exec(text) ?? []
  return letter !== undefined && RIGHT_TO_LEFT.test(letter)
}

/** For each line of a wrapped text, whether its paragraph runs from right to left. */
export function linesRightToLeft(text: string, lines: readonly string[]): boolean[] {
  let at = 0
  return lines.map((line) => {
    const from = Math.max(at, text.indexOf(line.replace(/…$/, ''), at))
    at = from + line.length
    return isRightToLeft(text.slice(text.lastIndexOf('\n', from) + 1).split('\n', 1)[0] as string)
  })
}

const RIGHT_TO_LEFT = /[\p{scx=Arab}\p{scx=Hebr}\p{scx=Syrc}\p{scx=Thaa}]/u

/** Whether a text is Japanese, and so are its Chinese characters. */
export function hasKana(text: string): boolean {
  return /[\p{sc=Hira}\p{sc=Kana}]/u.test(text)
}

const NUMBER_OF_STREET = /[0-9][0-9/-]*(?= ?\p{Script=Latin})/gu
const GROUPED_NUMBER = /\+?\p{Nd}+(?:[ -]\p{Nd}+)*/gu

type Item = { text: string; font: ScriptFont | null; level: number }

/**
 * Lays out one line: runs by font and direction, in the order in which they are read from left to right on paper
 * (Unicode Standard Annex 9, L2). Spaces are Latin, so each word is shaped by itself and is as wide on every line.
 */
export function layOutLine(name: FaceName, text: string, rightToLeft: boolean): Line {
  const weight = WEIGHTS[name]
  const runs: Run[] = []
  let x = 0
  for (const { text: part, font, level } of inVisualOrder(itemsOf(name, text, rightToLeft))) {
    const isReversed = level % 2 === 1
    if (font === null) {
      const shown = isReversed ? [...part].reverse().map(mirrored).join('') : part
      const width = widthOf(name, shown)
      runs.push({ kind: 'latin', text: shown, x, width })
      x += width
      continue
    }
    const shaped = shapeRun(part, font, weight, isReversed)
    const glyphs = shaped.glyphs.map((glyph) => ({
      ...glyph,
      x: glyph.x * font.family.scale,
      y: glyph.y * font.family.scale + font.family.raise,
    }))
    const width = shaped.width * font.family.scale
    runs.push({ kind: 'script', font, weight, glyphs, x, width })
    x += width
  }
  return { runs, width: x }
}

function itemsOf(name: FaceName, text: string, rightToLeft: boolean): Item[] {
  // Unicode Standard Annex 9 alone tears the number off `محمد, 12 Kerr St`, and shows the groups of `0491 570 157` from
  // right to left after Arabic letters.
  const withStreets = text.replace(NUMBER_OF_STREET, (number) => 'a'.repeat(number.length))
  const levels = bidiLevels(withStreets, rightToLeft)
  for (const { index, 0: number } of text.matchAll(GROUPED_NUMBER))
    levels.fill(Math.max(...levels.subarray(index, index + number.length)), index, index + number.length)
  const { glyphs } = face(name)
  const isJapanese = hasKana(text)
  const items: Item[] = []
  let at = 0
  for (const character of text) {
    const level = levels[at] as number
    at += character.length
    const last = items.at(-1)
    const isMark = /[\p{M}\u200c\u200d]/u.test(character)
    const font =
      isMark && last?.font
        ? last.font
        : glyphs.has(character.codePointAt(0) as number)
          ? null
          : fontFor(character, last?.font?.family, isJapanese)
    if (last && last.font === font && (last.level === level || isMark)) last.text += character
    else items.push({ text: character, font, level })
  }
  return items
}

/** Reverses every sequence of runs at or above each level, from the highest to the lowest odd one. */
function inVisualOrder(items: readonly Item[]): Item[] {
  const order = [...items]
  const highest = Math.max(0, ...order.map(({ level }) => level))
  for (let level = highest; level >= 1; level--) {
    for (let from = 0; from < order.length; from++) {
      if ((order[from] as Item).level < level) continue
      let to = from
      while (to < order.length && (order[to] as Item).level >= level) to++
      order.splice(from, to - from, ...order.slice(from, to).reverse())
      from = to
    }
  }
  return order
}
