import type { Mark } from '../marks.ts'
import type { Label } from './data.ts'
import { doorDuties } from './format.ts'
import { boxed, LEFT, set, WIDTH } from './place.ts'

/** The handover requirements, boxed; the reason why a driver may not leave the parcel is below its box. */
export function dutyMarks(label: Label, { top, bottom }: Span): Mark[] {
  const duties = doorDuties(label)
  const height = duties.length > 2 ? 34 : 42
  const marks: Mark[] = []
  let y = top
  for (const { words, loud, why } of duties) {
    marks.push(...boxed({ x: LEFT, y, width: DUTIES_WIDTH, height }, words, { loud, max: 28, min: 18 }))
    y += height + 5
    const room = { x: LEFT, y, width: DUTIES_WIDTH, height: bottom - y }
    if (why !== null) marks.push(...set(room, why, { max: 22, min: 14, lines: 3 }).marks)
  }
  return marks
}

/**
 * The customer's delivery instructions first, the store's pickup instructions below; the longer text gets
 * more space.
 */
export function instructionMarks(label: Label, { top, bottom }: Span): Mark[] {
  const notes = [
    { name: 'Instructions', words: label.specialInstructions ?? '' },
    { name: 'At pickup', words: label.pickupInstructions ?? '' },
  ].filter(({ words }) => words.trim() !== '')
  const lengths = notes.map(({ words }) => linesOf(words))
  const total = lengths.reduce((sum, lines) => sum + lines, 0)
  const spare = bottom - top - notes.length * (NAME_HEIGHT + GAP)
  let y = top
  return notes.flatMap(({ name, words }, index) => {
    const heading = { x: NOTES_LEFT, y, width: NOTES_WIDTH, height: NAME_HEIGHT }
    const share = notes.length === 1 ? 1 : Math.min(0.72, Math.max(0.28, lengths[index]! / total))
    const room = { ...heading, y: y + NAME_HEIGHT, height: Math.floor(spare * share) }
    y = room.y + room.height + GAP
    const text = { max: 32, min: 16, lines: 7, breaks: true }
    return [...set(heading, name, { max: 18 }).marks, ...set(room, words, text).marks]
  })
}

type Span = { top: number; bottom: number }

const DUTIES_WIDTH = 290
const NOTES_LEFT = LEFT + DUTIES_WIDTH + 18
const NOTES_WIDTH = WIDTH - DUTIES_WIDTH - 18
const NAME_HEIGHT = 18
const GAP = 3

/** About how many lines a note needs in small type, seven at most. */
function linesOf(words: string): number {
  const lines = words.slice(0, 600).split('\n')
  return Math.min(
    7,
    lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 55)), 0),
  )
}
