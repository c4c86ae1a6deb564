import { type Cut, hex, readCut } from './cut.ts'

/** A typeface: its font files, and for each character the first file that has it. */
export type Face = { glyphs: ReadonlyMap<number, Glyph> }
/** `hex` is the glyph's number as a PDF string. */
export type Glyph = { cut: Cut; hex: string; width: number }

/** The height of Archivo's capitals as a share of the size: the baseline is this far below a text's top. */
export const CAPITALS = 0.686

const ARCHIVO = '@fontsource/archivo-narrow/files/archivo-narrow'
const ATKINSON = '@fontsource/atkinson-hyperlegible-mono/files/atkinson-hyperlegible-mono'

/** `code` is for text that people type from paper: its zero is slashed, its l, I and 1 differ. */
const CUTS = {
  plain: ['latin-500', 'latin-ext-500', 'vietnamese-500'].map((cut) => `${ARCHIVO}-${cut}-normal.woff`),
  bold: ['latin-700', 'latin-ext-700', 'vietnamese-700'].map((cut) => `${ARCHIVO}-${cut}-normal.woff`),
  code: ['latin-600'].map((cut) => `${ATKINSON}-${cut}-normal.woff`),
}
export type FaceName = keyof typeof CUTS

const loaded = new Map<FaceName, Face>()

/** Read from disk on first use, then kept: there are only three typefaces. */
export function face(name: FaceName): Face {
  const known = loaded.get(name)
  if (known) return known
  const glyphs = new Map<number, Glyph>()
  for (const cut of CUTS[name].map(readCut)) {
    for (const [character, { id, width }] of cut.glyphs) {
      if (!glyphs.has(character)) glyphs.set(character, { cut, hex: hex(id), width })
    }
  }
  const made = { glyphs }
  loaded.set(name, made)
  return made
}

/** Width in per mille of the type size; characters that the typeface lacks count as zero. */
export function widthOf(name: FaceName, text: string): number {
  const { glyphs } = face(name)
  let width = 0
  for (const character of text) width += glyphs.get(character.codePointAt(0)!)?.width ?? 0
  return width
}
