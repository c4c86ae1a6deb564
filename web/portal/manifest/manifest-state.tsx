import type { Manifest } from '../../shared/api.generated.ts'
import { Glyph, type GlyphShape } from '../../shared/glyph.tsx'
import { findManifestProblem } from './manifest-problem.ts'

/** The state of a manifest in words, only as confirmed by the server. */
const STATES: Readonly<Record<Manifest['status'], { word: string; hue: string; shape: GlyphShape }>> = {
  draft: { word: 'Draft', hue: 'wait', shape: 'sheet' },
  submitting: { word: 'Being submitted', hue: 'go', shape: 'sheet-line' },
  submitted: { word: 'Submitted', hue: 'done', shape: 'sheet-tick' },
  on_hold: { word: 'On hold', hue: 'stop', shape: 'diamond' },
  refused: { word: 'Refused', hue: 'stop', shape: 'diamond' },
  discarded: { word: 'Discarded', hue: 'done', shape: 'sheet' },
}

export function ManifestState({ status }: Pick<Manifest, 'status'>) {
  const { word, hue, shape } = STATES[status]
  return (
    <span className={`st k-${hue}`}>
      <Glyph shape={shape} /> {word}
    </span>
  )
}

/** Its problem in bold, and the remedy. */
export function ManifestProblemText({ manifest }: { manifest: Manifest }) {
  const problem = findManifestProblem(manifest)
  if (!problem) return null
  return (
    <p className="manifest-problem">
      <b>{problem.cause}</b> {problem.remedy}
    </p>
  )
}
