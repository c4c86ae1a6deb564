import { deflateSync } from 'node:zlib'
import { type Cut, hex } from './cut.ts'
import { packTrueType } from './woff.ts'

/** The parts of an embedded font that are the same in every document. */
export type Embedded = { file: Buffer; fileLength: number; unicode: Buffer; widths: string }

const embedded = new Map<Cut, Embedded>()

/** Computed once per font file, then kept: there are only as many as font files. */
export function embed(cut: Cut): Embedded {
  const known = embedded.get(cut)
  if (known) return known
  const file = packTrueType(cut.tables)
  const made = {
    file: deflateSync(file, { level: 9 }),
    fileLength: file.length,
    unicode: deflateSync(toUnicode(cut)),
    widths: cut.widths.join(' '),
  }
  embedded.set(cut, made)
  return made
}

/** Glyph number → character, so that text can be searched, copied and read aloud. */
function toUnicode({ glyphs }: Cut): string {
  const pairs = new Map<number, string>()
  for (const [character, { id }] of glyphs) {
    if (!pairs.has(id)) pairs.set(id, `<${hex(id)}> <${hex(character)}>`)
  }
  const lines = [...pairs.values()]
  const blocks: string[] = []
  // A block may hold 100 pairs at most (Adobe technical note 5014).
  for (let at = 0; at < lines.length; at += 100) {
    const block = lines.slice(at, at + 100)
    blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`)
  }
  return `/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def /CMapType 2 def
1 begincodespacerange <0000> <ffff> endcodespacerange
${blocks.join('\n')}
endcmap CMapName currentdict /CMap defineresource pop end end`
}
