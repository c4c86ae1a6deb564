import type { FaceName } from '../pdf/face.ts'
import { printable } from '../pdf/printable.ts'
import { turnsOf } from '../turns.ts'
import { fullWidthOf } from './families.ts'
import { loadFontFor } from './fonts.ts'
import { hasKana, lineWidth } from './line.ts'
import { partsOf } from './line-breaks.ts'
import { loadShaper } from './shaper.ts'

/** Latin, its accents, and the punctuation and symbols that every typeface has. */
const OTHER_SCRIPT = /[^\s -\u024f\u1e00-\u1eff\u2000-\u22ff]/u

type Turn = ReturnType<typeof turnsOf>

/**
 * Loads the shaper and the fonts that the texts of the data need, and measures their words; a document does this before
 * it lays out anything. Other requests have their turn between two steps. Data in Latin letters loads nothing.
 */
export async function loadShaperFor(data: unknown): Promise<void> {
  const texts = otherTextsOf(data)
  if (texts.size === 0) return
  await loadShaper()
  const turn = turnsOf()
  for (const text of texts) await loadFontsOf(text, () => true, turn)
  await measureWords(texts, turn)
}

/** The same to learn whether texts fit: the fonts of full-width characters, whose widths are known, are not read. */
export async function loadWidthsFor(data: unknown): Promise<void> {
  const texts = otherTextsOf(data)
  if (texts.size === 0) return
  await loadShaper()
  const turn = turnsOf()
  for (const text of texts) await loadFontsOf(text, (character) => fullWidthOf(character) === null, turn)
  await measureWords(texts, turn)
}

async function loadFontsOf(
  text: string,
  isNeeded: (character: string) => boolean,
  turn: Turn,
): Promise<void> {
  const isJapanese = hasKana(text)
  for (const character of new Set(text)) {
    if (!OTHER_SCRIPT.test(character) || !isNeeded(character)) continue
    await loadFontFor(character, isJapanese, turn)
    await turn()
  }
}

const FACES: readonly FaceName[] = ['plain', 'bold']

async function measureWords(texts: Iterable<string>, turn: Turn): Promise<void> {
  for (const text of texts) {
    for (const name of FACES) {
      for (const word of printable(text, name).split(' ').flatMap(partsOf)) {
        lineWidth(name, word)
        await turn()
      }
    }
  }
}

function otherTextsOf(data: unknown): Set<string> {
  const texts = new Set<string>()
  addOthers(data, texts)
  return texts
}

function addOthers(data: unknown, texts: Set<string>): void {
  if (typeof data === 'string') {
    if (OTHER_SCRIPT.test(data)) texts.add(data.normalize('NFC'))
  } else if (Array.isArray(data)) {
    if (typeof data[0] !== 'number') for (const item of data) addOthers(item, texts)
  } else if (data !== null && typeof data === 'object' && !ArrayBuffer.isView(data)) {
    for (const key in data) addOthers(data[key as keyof typeof data], texts)
  }
}
