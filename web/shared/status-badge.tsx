import type { Status } from '../../src/domain/delivery/status.ts'
import { type Hue, STATUS_WORDS } from '../../src/domain/delivery/status-labels.ts'
import { Glyph, type GlyphShape } from './glyph.tsx'

/** Mark and word; the colour alone carries no meaning. */
export function Badge({ hue, shape, word }: { hue: Hue; shape: GlyphShape; word: string }) {
  return (
    <span className={`st k-${hue}`}>
      <Glyph shape={shape} />
      {word}
    </span>
  )
}

/** The status as store staff read it. */
export function StatusBadge({ status }: { status: Status }) {
  const { clerk, hue, shape } = STATUS_WORDS[status]
  return <Badge hue={hue} shape={shape} word={clerk} />
}
