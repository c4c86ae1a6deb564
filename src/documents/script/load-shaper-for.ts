import { isShaperLoaded, loadShaper } from './shaper.ts'

/** Latin, its accents, and the punctuation and symbols that every typeface has. */
const OTHER_SCRIPT = /[^\u0000-\u024f\u1e00-\u1eff\u2000-\u22ff]/u

/**
 * Loads the shaper if a text in the data is not Latin; a document does this before it lays out anything. Documents
 * without such a text pay for the search alone: 2 µs for a label.
 */
export async function loadShaperFor(data: unknown): Promise<void> {
  if (!isShaperLoaded() && hasOtherScript(data)) await loadShaper()
}

function hasOtherScript(data: unknown): boolean {
  if (typeof data === 'string') return OTHER_SCRIPT.test(data)
  if (data === null || typeof data !== 'object' || ArrayBuffer.isView(data)) return false
  if (Array.isArray(data)) return typeof data[0] !== 'number' && data.some(hasOtherScript)
  for (const key in data) if (hasOtherScript(data[key as keyof typeof data])) return true
  return false
}
