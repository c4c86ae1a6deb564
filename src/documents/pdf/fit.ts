import { type FaceName, widthOf } from './face.ts'

/** Text broken into lines, with the size at which it fits. */
export type Fitted = { size: number; lines: string[] }
/** Sizes and width in the same unit; `lines` is the maximum number at the largest size. */
export type Room = { width: number; max: number; min: number; lines: number }

/** The largest size at which the text fits; at the smallest, text that is too long ends in `…`. */
export function fit(name: FaceName, text: string, { width, max, min, lines }: Room): Fitted {
  for (let size = max; size > min; size = Math.max(min, Math.floor(size * 0.92))) {
    const broken = wrap(name, text, (width * 1000) / size, lines)
    if (broken.whole) return { size, lines: broken.lines }
  }
  return { size: min, lines: wrap(name, text, (width * 1000) / min, lines).lines }
}

/** Breaks at spaces and the writer's newlines; inside a word only when the word alone is too wide. */
function wrap(name: FaceName, text: string, limit: number, most: number) {
  const lines: string[] = []
  const space = widthOf(name, ' ')
  let broken = false
  for (const paragraph of text.split('\n')) {
    let line = ''
    let used = 0
    for (const word of paragraph.split(' ')) {
      const width = widthOf(name, word)
      if (line !== '' && used + space + width <= limit) {
        line += ` ${word}`
        used += space + width
        continue
      }
      if (line !== '') lines.push(line)
      ;[line, used] = [word, width]
      while (used > limit && lines.length <= most) {
        const head = start(name, line, limit)
        broken = true
        lines.push(head)
        line = line.slice(head.length)
        used = widthOf(name, line)
      }
    }
    lines.push(line)
    if (lines.length > most) break
  }
  if (lines.length <= most) return { whole: !broken, lines }
  const rest = lines.slice(most - 1).join(' ')
  const last = `${start(name, rest, limit - widthOf(name, '…')).trimEnd()}…`
  return { whole: false, lines: [...lines.slice(0, most - 1), last] }
}

/** As much of the text as fits, at least one character. */
function start(name: FaceName, text: string, limit: number): string {
  let used = 0
  let taken = ''
  for (const character of text) {
    used += widthOf(name, character)
    if (used > limit && taken !== '') break
    taken += character
  }
  return taken
}
