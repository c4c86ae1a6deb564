import type { Mark } from '../marks.ts'

/** From top to bottom, in dots. `isSmallest`: to learn whether its texts fit, they are set in their smallest type. */
export type Span = { top: number; bottom: number; isSmallest?: boolean }

/** A part of the label, from its left to its right margin. */
export type Section = {
  /** Its height if nothing in it is long. */
  min: number
  draw(span: Span): Mark[]
  /** Whether space that no section needs is of use to it. */
  grows?: boolean
}

/** Light space above and below a rule. */
const GAP = 9
const RULE = 3

/**
 * Places sections one below the other, with a rule below each. Each gets the height at which nothing in it is cut, the
 * upper sections first; those that grow share what remains.
 */
export function placeSections(
  sections: readonly Section[],
  { top, bottom }: Span,
  rule: (y: number) => Mark,
): Mark[] {
  let spare = spareHeight(sections, { top, bottom })
  const heights = sections.map(({ min, draw }) => {
    const more = Math.min(neededHeight(draw, min) - min, Math.max(0, spare))
    spare -= more
    return min + more
  })
  const growing = sections.filter(({ grows }) => grows).length
  let y = top
  return sections.flatMap(({ draw, grows }, index) => {
    const height = heights[index]! + (grows ? Math.floor(Math.max(0, spare) / growing) : 0)
    const marks = draw({ top: y, bottom: y + height })
    const below = index === sections.length - 1 ? bottom : y + height + GAP
    y = below + RULE + GAP
    return [...marks, rule(below)]
  })
}

/** Whether the sections have space for all their texts. */
export function fitsSections(sections: readonly Section[], span: Span): boolean {
  let spare = spareHeight(sections, span)
  for (const { min, draw } of sections) {
    if (!isCutAt(draw, min)) continue
    if (isCutAt(draw, min + spare)) return false
    spare -= neededHeight(draw, min, min + spare) - min
  }
  return true
}

/** The height that remains if each section has its least. */
function spareHeight(sections: readonly Section[], { top, bottom }: Span): number {
  // The last rule is at `bottom`.
  const gaps = sections.length * 2 * GAP - GAP + (sections.length - 1) * RULE
  return bottom - top - gaps - sections.reduce((sum, { min }) => sum + min, 0)
}

/** The least height at which nothing is cut, to 4 dots; `max` if there is none. */
function neededHeight(draw: Section['draw'], min: number, max = MAX_HEIGHT): number {
  let [low, high] = [min, max]
  if (!isCutAt(draw, low)) return low
  while (high - low > 4) {
    const between = Math.floor((low + high) / 2)
    if (isCutAt(draw, between)) low = between
    else high = between
  }
  return high
}

const MAX_HEIGHT = 800

function isCutAt(draw: Section['draw'], height: number): boolean {
  return draw({ top: 0, bottom: height, isSmallest: true }).some((mark) => mark.kind === 'text' && mark.cut)
}
