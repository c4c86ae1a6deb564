import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { allCharacters } from '../pdf/cut.ts'
import { FAMILIES, familyOf, fileOf, fullWidthOf, PRINTED, readPackageFile } from './families.ts'
import { packedTables, unpackTables } from './woff2.ts'

/** The width of each character that a file's own table maps, in per mille. */
function widthsIn(name: string, file: string): Map<number, number> {
  const packed = readPackageFile(`${name}/files/${file}-wght-normal.woff2`)
  const steps = unpackTables(packed, brotliDecompressSync(packedTables(packed)))
  let step = steps.next()
  while (!step.done) step = steps.next()
  const table = (tag: string) => step.value?.get(tag) as Buffer
  const [unitsPerEm, count] = [table('head').readUInt16BE(18), table('hhea').readUInt16BE(34)]
  const widthOf = (id: number) =>
    (table('hmtx').readUInt16BE(Math.min(id, count - 1) * 4) * 1000) / unitsPerEm
  return new Map([...allCharacters(table('cmap'))].map(([code, id]) => [code, widthOf(id)]))
}

test('each character that a family lists is in its file, and full-width ones have the expected width', () => {
  const files = new Map<string, Map<number, number>>()
  let walked = 0
  const wrong: string[] = []
  for (const family of FAMILIES) {
    for (let code = 0xa0; code < 0x30000; code++) {
      if (code >= 0xd800 && code < 0xe000) continue
      const character = String.fromCodePoint(code)
      if (!PRINTED.test(character)) continue
      const file = fileOf(family, character)
      if (file === null) continue
      const widths = files.get(file) ?? widthsIn(family.name, file)
      files.set(file, widths)
      walked += 1
      const width = widths.get(code)
      const counted = fullWidthOf(character)
      const place = `U+${code.toString(16)} in ${file}`
      if (width === undefined) wrong.push(`${place} is missing`)
      else if (counted !== null && familyOf(character) === family && width * family.scale !== counted)
        wrong.push(`${place} is ${width} wide`)
    }
  }
  assert.deepEqual(wrong, [])
  assert.ok(files.size > 300 && walked > 40_000, `${walked} characters of ${files.size} files`)
})
