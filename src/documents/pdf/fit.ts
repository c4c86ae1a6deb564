import { lineWidth } from '../script/line.ts'
import { lettersOf, partsOf } from '../script/line-breaks.ts'
import type { FaceName } from './face.ts'

/** Text broken into lines, with the size at which it fits; `cut` says that even so some of it is missing. */
export type Fitted = { size: number; lines: readonly string[]; cut: boolean }
/** Sizes and width in the same unit; `lines` is the maximum number at the largest size. */
export type Room = { width: number; max: number; min: number; lines: number }

/**
 * The largest size at which the text fits without a word broken in two; at the smallest, long words are broken,
 * and text that is too long ends in `…`.
 */
export function fit(name: FaceName, text: string, { width, max, min, lines }: Room): Fitted {
  const smallest = wrap(name, text, (width * 1000) / min, lines)
  if (max > min && !smallest.cut && !smallest.hasBrokenWord) {
    for (let size = max; size > min; size = Math.max(min, Math.floor(size * 0.92))) {
      const wrapped = wrap(name, text, (width * 1000) / size, lines)
      if (!wrapped.cut && !wrapped.hasBrokenWord) return { size, lines: wrapped.lines, cut: false }
    }
  }
  return { size: min, lines: smallest.lines, cut: smallest.cut }
}

type Wrapped = { lines: readonly string[]; cut: boolean; hasBrokenWord: boolean }

/** Breaks at spaces and the writer's newlines; inside a word only when the word alone is too wide. */
export function wrap(name: FaceName, text: string, limit: number, max: number): Wrapped {
  const { paragraphs, space, wraps } = measured(name, text)
  const key = `${limit} ${max}`
  const found = wraps.get(key)
  if (found) return found
  const made = wrapWords(name, { paragraphs, space }, limit, max)
  if (wraps.size >= MAX_WRAPS) wraps.clear()
  wraps.set(key, made)
  return made
}

function wrapWords(
  name: FaceName,
  { paragraphs, space }: Pick<Measured, 'paragraphs' | 'space'>,
  limit: number,
  max: number,
): Wrapped {
  const lines: string[] = []
  let hasBrokenWord = false
  for (const words of paragraphs) {
    let line = ''
    let used = 0
    for (const { word, width, isGlued } of words) {
      const gap = isGlued ? 0 : space
      if (line !== '' && used + gap + width <= limit) {
        line += isGlued ? word : ` ${word}`
        used += gap + width
        continue
      }
      if (line !== '') lines.push(line)
      ;[line, used] = [word, width]
      if (lines.length > max) break
      if (used <= limit) continue
      const heads = startsOf(name, line, limit, max + 1 - lines.length)
      line = heads.pop() as string
      // One character that is wider than the line stays on it.
      if (heads.length === 0) continue
      hasBrokenWord = true
      lines.push(...heads)
      used = lineWidth(name, line)
    }
    lines.push(line)
    if (lines.length > max) break
  }
  if (lines.length <= max) return { lines, cut: false, hasBrokenWord }
  const rest = lines.slice(max - 1).join(' ')
  const last = `${start(name, rest, limit - lineWidth(name, '…')).trimEnd()}…`
  return { lines: [...lines.slice(0, max - 1), last], cut: true, hasBrokenWord }
}

type Measured = {
  /** `isGlued`: no space stands before it, as in Chinese or Thai. */
  paragraphs: { word: string; width: number; isGlued: boolean }[][]
  space: number
  /** By line length and number of lines: while a label is laid out, the same ones are tried again and again. */
  wraps: Map<string, Wrapped>
}
const MAX_WRAPS = 24

/** The texts that were measured last: a text is tried at many sizes, and its words are as wide at each. */
const known = new Map<string, Measured>()
const MAX_KNOWN = 100

function measured(name: FaceName, text: string): Measured {
  const key = `${name} ${text}`
  const found = known.get(key)
  if (found) return found
  const paragraphs = text
    .split('\n')
    .map((paragraph) =>
      paragraph
        .split(' ')
        .flatMap((chunk) =>
          partsOf(chunk).map((word, index) => ({ word, width: lineWidth(name, word), isGlued: index > 0 })),
        ),
    )
  const made: Measured = { paragraphs, space: lineWidth(name, ' '), wraps: new Map() }
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(key, made)
  return made
}

/** As much of the text as fits, at least one character. */
function start(name: FaceName, text: string, limit: number): string {
  return startsOf(name, text, limit, 1)[0] as string
}

/** A word that is too wide in pieces that fit, each of at least one character: at most `max` of them, then the rest. */
function startsOf(name: FaceName, text: string, limit: number, max: number): string[] {
  const pieces: string[] = []
  let [used, from, to] = [0, 0, 0]
  for (const letter of lettersOf(text)) {
    const width = lineWidth(name, letter)
    if (used + width > limit && to > from) {
      pieces.push(text.slice(from, to))
      ;[from, used] = [to, 0]
      if (pieces.length >= max) break
    }
    used += width
    to += letter.length
  }
  return [...pieces, text.slice(from)]
}
