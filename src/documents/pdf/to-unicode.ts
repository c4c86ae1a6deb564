/**
 * ToUnicode CMap of an embedded font: which characters each code of a text stands for, so that text can be searched,
 * copied and read aloud (Adobe technical note 5014). `pairs`: lines of `<code> <UTF-16>`. `codes`: the range of codes.
 */
export function toUnicodeCMap(pairs: readonly string[], codes: '<00> <ff>' | '<0000> <ffff>'): string {
  const blocks: string[] = []
  // A block may hold 100 pairs at most.
  for (let at = 0; at < pairs.length; at += 100) {
    const block = pairs.slice(at, at + 100)
    blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`)
  }
  return `/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def /CMapType 2 def
1 begincodespacerange ${codes} endcodespacerange
${blocks.join('\n')}
endcmap CMapName currentdict /CMap defineresource pop end end`
}
