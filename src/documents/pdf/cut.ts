import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type FontTables, unpackWoff } from './woff.ts'

/**
 * One font file: a family's glyphs for one part of Unicode, as Fontsource splits it. Measures are per mille
 * of the size.
 */
export type Cut = {
  name: string
  tables: FontTables
  glyphs: ReadonlyMap<number, { id: number; width: number }>
  widths: readonly number[]
  ascent: number
  descent: number
  box: readonly number[]
}

/** Reads a font file of an installed package, such as `@fontsource/x/files/x-latin-700-normal.woff`. */
export function readCut(specifier: string): Cut {
  const tables = unpackWoff(readFileSync(fileURLToPath(import.meta.resolve(specifier))))
  const [head, hhea, hmtx] = [table(tables, 'head'), table(tables, 'hhea'), table(tables, 'hmtx')]
  const perMille = (units: number) => Math.round((units * 1000) / head.readUInt16BE(18))
  const measured = hhea.readUInt16BE(34)
  const widths = Array.from({ length: table(tables, 'maxp').readUInt16BE(4) }, (_, id) =>
    perMille(hmtx.readUInt16BE(Math.min(id, measured - 1) * 4)),
  )
  const glyphs = new Map<number, { id: number; width: number }>()
  for (const [character, id] of characters(table(tables, 'cmap')))
    glyphs.set(character, { id, width: widths[id] ?? 0 })
  return {
    name: specifier.replace(/^.*\//, '').replace(/-normal\.woff$/, ''),
    tables,
    glyphs,
    widths,
    ascent: perMille(hhea.readInt16BE(4)),
    descent: perMille(hhea.readInt16BE(6)),
    box: [36, 38, 40, 42].map((at) => perMille(head.readInt16BE(at))),
  }
}

/** A glyph number or UTF-16 unit as a PDF string spells it. */
export function hex(value: number): string {
  return value.toString(16).padStart(4, '0')
}

/** Code point and glyph of each pair in a format 4 subtable, which every web font has. */
function* characters(cmap: Buffer): Generator<[number, number]> {
  const subtables = Array.from({ length: cmap.readUInt16BE(2) }, (_, i) => cmap.readUInt32BE(8 + i * 8))
  const at = subtables.find((offset) => cmap.readUInt16BE(offset) === 4)
  if (at === undefined) throw new Error('The font has no format 4 character map.')
  const doubled = cmap.readUInt16BE(at + 6)
  for (let segment = 0; segment < doubled; segment += 2) {
    const last = cmap.readUInt16BE(at + 14 + segment)
    const first = cmap.readUInt16BE(at + 16 + doubled + segment)
    const delta = cmap.readUInt16BE(at + 16 + 2 * doubled + segment)
    const rangeAt = at + 16 + 3 * doubled + segment
    const range = cmap.readUInt16BE(rangeAt)
    for (let character = first; character <= last && character < 0xffff; character++) {
      const raw = range === 0 ? character : cmap.readUInt16BE(rangeAt + range + 2 * (character - first))
      const id = raw === 0 ? 0 : (raw + delta) & 0xffff
      if (id !== 0) yield [character, id]
    }
  }
}

/** The same of a format 12 subtable, which only fonts with characters beyond U+FFFF have. */
export function* allCharacters(cmap: Buffer): Generator<[number, number]> {
  const subtables = Array.from({ length: cmap.readUInt16BE(2) }, (_, i) => cmap.readUInt32BE(8 + i * 8))
  const at = subtables.find((offset) => cmap.readUInt16BE(offset) === 12)
  if (at === undefined) return yield* characters(cmap)
  for (let group = 0; group < cmap.readUInt32BE(at + 12); group++) {
    const [first, last, id] = [0, 4, 8].map((field) => cmap.readUInt32BE(at + 16 + group * 12 + field))
    for (let character = first!; character <= last!; character++) yield [character, id! + character - first!]
  }
}

function table(tables: FontTables, tag: string): Buffer {
  const found = tables.get(tag)
  if (!found) throw new Error(`The font has no ${tag} table.`)
  return found
}
