import { useState } from 'react'
import type { Hue } from '../../../src/domain/delivery/status-labels.ts'

/** The class that flashes a row's tint once, each time its status changes. */
export function useFlash(word: string, hue: Hue): string {
  const [seen, setSeen] = useState({ word, changes: 0 })
  if (seen.word !== word) setSeen({ word, changes: seen.changes + 1 })
  if (seen.changes === 0) return ''
  // An animation restarts only under another name.
  return ` k-${hue} flash-${seen.changes % 2 ? 'odd' : 'even'}`
}
