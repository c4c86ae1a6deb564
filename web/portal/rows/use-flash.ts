import { useState } from 'react'
import type { Hue } from '../../../src/domain/delivery/status-labels.ts'

/** The classes by which a row flashes its tint, once, each time that its word becomes another. */
export function useFlash(word: string, hue: Hue): string {
  const [seen, setSeen] = useState({ word, changes: 0 })
  if (seen.word !== word) setSeen({ word, changes: seen.changes + 1 })
  if (seen.changes === 0) return ''
  // An animation begins anew under another name only.
  return ` k-${hue} flash-${seen.changes % 2 ? 'odd' : 'even'}`
}
