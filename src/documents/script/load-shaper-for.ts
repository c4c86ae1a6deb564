import { turnsOf } from '../turns.ts'
import { fontFor } from './fonts.ts'
import { loadShaper } from './shaper.ts'

/** Latin, its accents, and the punctuation and symbols that every typeface has. */
const OTHER_SCRIPT = /[^\s -\u024f\u1e00-\u1eff\u2000-\u22ff]/u

/**
 * Loads the shaper and the fonts that the texts of the data need; a document does this before it lays out anything. A
 * font takes 5 to 15 ms the first time, and other requests have their turn between two. Latin data pays for the search.
 */
export async function loadShaperFor(data: unknown): Promise<void> {
  const characters = new Set<string>()
  addOthers(data, characters)
  if (characters.size === 0) return
  await loadShaper()
  const turn = turnsOf()
  for (const character of characters) {
    fontFor(character)
    await turn()
  }
}

function addOthers(data: unknown, characters: Set<string>): void {
  if (typeof data === 'string') {
    if (OTHER_SCRIPT.test(data))
      for (const character of data.normalize('NFC'))
        if (OTHER_SCRIPT.test(character)) characters.add(character)
  } else if (Array.isArray(data)) {
    if (typeof data[0] !== 'number') for (const item of data) addOthers(item, characters)
  } else if (data !== null && typeof data === 'object' && !ArrayBuffer.isView(data)) {
    for (const key in data) addOthers(data[key as keyof typeof data], characters)
  }
}
