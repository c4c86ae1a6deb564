import type { Mark } from '../marks.ts'
import type { Label } from './data.ts'
import { doorDuties } from './format.ts'
import { boxed, LEFT, LEGIBLE, set, spaceForMarks, WIDTH } from './place.ts'
import type { Span } from './sections.ts'

/** The handover requirements, boxed; the reason why a driver may not leave the parcel is below its box. */
export function dutyMarks(label: Label, { top, bottom, isSmallest = false }: Span, width: number): Mark[] {
  const duties = doorDuties(label)
  const height = duties.length > 2 ? 34 : 42
  const marks: Mark[] = []
  let y = top
  for (const { words, loud, why } of duties) {
    marks.push(...boxed({ x: LEFT, y, width, height }, words, { loud, max: 28, min: LEGIBLE, isSmallest }))
    y += height + 5
    const room = { x: LEFT, y, width, height: bottom - y }
    if (why !== null) marks.push(...set(room, why, { max: 22, min: LEGIBLE, lines: 4, isSmallest }).marks)
  }
  return marks
}

/**
 * The customer's delivery instructions first, the store's pickup instructions below, beside duties of the given
 * width; the longer text gets more space.
 */
export function instructionMarks(
  label: Label,
  { top, bottom, isSmallest = false }: Span,
  duties: number,
): Mark[] {
  const x = LEFT + duties + 18
  const width = WIDTH - duties - 18
  const notes = [
    { name: 'Instructions', words: label.specialInstructions ?? '' },
    { name: 'At pickup', words: label.pickupInstructions ?? '' },
  ].filter(({ words }) => words.trim() !== '')
  const spare = notes.reduce((sum, { words }) => sum - nameHeight(words) - GAP, bottom - top)
  const heights = sharedHeights(
    notes.map(({ words }) => minHeight(words, width)),
    spare,
  )
  let y = top
  return notes.flatMap(({ name, words }, index) => {
    const heading = { x, y, width, height: NAME_HEIGHT }
    const room = { ...heading, y: y + nameHeight(words), height: heights[index]! }
    y = room.y + room.height + GAP
    return [...set(heading, name, { max: 18 }).marks, ...set(room, words, { ...NOTE, isSmallest }).marks]
  })
}

const NAME_HEIGHT = 18
const nameHeight = (words: string) => NAME_HEIGHT + spaceForMarks(words, 7)
const GAP = 3
const NOTE = { max: 32, min: LEGIBLE, lines: 60, breaks: true }

/** The height of a note in the smallest type. */
function minHeight(words: string, width: number): number {
  return set({ x: 0, y: 0, width, height: 2_000 }, words, { ...NOTE, isSmallest: true }).bottom
}

/** Space in proportion to what each needs in the smallest type: at least one line, and at most all but one. */
function sharedHeights(min: readonly number[], spare: number): number[] {
  const needed = min.reduce((sum, height) => sum + height, 0)
  const line = LEGIBLE + 1
  const max = spare - (min.length - 1) * line
  return min.map((height) => Math.floor(Math.max(line, Math.min(max, (spare * height) / needed))))
}
