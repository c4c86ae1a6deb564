import type { Mark } from '../marks.ts'
import type { Label } from './data.ts'
import { boxed, LEFT, set } from './place.ts'
import { doorDuties } from './words.ts'

type Span = { top: number; bottom: number }

const DUTIES_WIDTH = 290
const NOTES_LEFT = LEFT + DUTIES_WIDTH + 18
const NOTES_WIDTH = 752 - DUTIES_WIDTH - 18

/** What must happen at the door, boxed; the reason a driver may not leave it stands below its box. */
export function dutyMarks(label: Label, { top, bottom }: Span): Mark[] {
  const marks: Mark[] = []
  let y = top
  for (const { words, loud, why } of doorDuties(label)) {
    marks.push(...boxed({ x: LEFT, y, width: DUTIES_WIDTH, height: 40 }, words, { loud, max: 28, min: 18 }))
    y += 46
    const room = { x: LEFT, y, width: DUTIES_WIDTH, height: bottom - y }
    if (why !== null) marks.push(...set(room, why, { max: 20, min: 14, lines: 3 }).marks)
  }
  return marks
}

/** The customer's words for the door first, the store's for the pickup below. */
export function instructionMarks(label: Label, { top, bottom }: Span): Mark[] {
  const notes = [
    { name: 'Instructions', words: label.specialInstructions ?? '' },
    { name: 'At pickup', words: label.pickupInstructions ?? '' },
  ].filter(({ words }) => words.trim() !== '')
  const height = (bottom - top) / Math.max(1, notes.length)
  return notes.flatMap(({ name, words }, index) => {
    const box = { x: NOTES_LEFT, y: Math.round(top + index * height), width: NOTES_WIDTH, height: 18 }
    const room = { ...box, y: box.y + 20, height: height - 24 }
    const text = { max: 32, min: 15, lines: notes.length === 1 ? 6 : 4, breaks: true }
    return [...set(box, name, { max: 18 }).marks, ...set(room, words, text).marks]
  })
}
