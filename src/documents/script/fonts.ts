import { promisify } from 'node:util'
import { brotliDecompress, brotliDecompressSync } from 'node:zlib'
import { packTrueType } from '../pdf/woff.ts'
import type { turnsOf } from '../turns.ts'
import { familyOf, fileOf, readPackageFile, type ScriptFamily } from './families.ts'
import { packedTables, unpackTables } from './woff2.ts'

/** One file of a family. */
export type ScriptFont = {
  name: string
  family: ScriptFamily
  /** A TrueType file with a weight axis. HarfBuzz copies it, so it can be taken once and is not kept here. */
  takeFile(): Buffer
}

/**
 * The font that prints a character that our Latin typefaces lack, or null. `near` is the family of the character before
 * it, which is preferred, so that a word is one run. `hasKana`: the line is Japanese, and so are its Chinese characters.
 */
export function fontFor(
  character: string,
  near: ScriptFamily | null = null,
  hasKana = false,
): ScriptFont | null {
  const place = placeOf(character, near, hasKana)
  if (place === null) return null
  const known = findKept(place.file)
  if (known) return known
  const packed = readFontFile(place)
  const steps = unpackTables(packed, brotliDecompressSync(packedTables(packed)))
  let step = steps.next()
  while (!step.done) step = steps.next()
  return keep(place, packTrueType(step.value, [...step.value.keys()].sort(), { hasChecksums: false }))
}

/** Reads the font of a character if it is not kept: unpacks in a thread of the pool, rearranges in time slices. */
export async function loadFontFor(
  character: string,
  hasKana: boolean,
  turn: ReturnType<typeof turnsOf>,
): Promise<void> {
  const place = placeOf(character, null, hasKana)
  if (place === null || findKept(place.file)) return
  const packed = readFontFile(place)
  const steps = unpackTables(packed, await decompress(packedTables(packed)))
  let step = steps.next()
  while (!step.done) {
    await turn()
    step = steps.next()
  }
  await turn()
  const file = packTrueType(step.value, [...step.value.keys()].sort(), { hasChecksums: false })
  if (!findKept(place.file)) keep(place, file)
}

const decompress = promisify<Buffer, Buffer>(brotliDecompress)

type Place = { family: ScriptFamily; file: string }

function placeOf(character: string, near: ScriptFamily | null, hasKana: boolean): Place | null {
  const nearFile = near && fileOf(near, character)
  if (near && nearFile) return { family: near, file: nearFile }
  const family = familyOf(character, hasKana)
  const file = family && fileOf(family, character)
  return file ? { family, file } : null
}

function readFontFile({ family, file }: Place): Buffer {
  return readPackageFile(`${family.name}/files/${file}-wght-normal.woff2`)
}

/** The fonts that were used last, the least recently used first. */
const kept = new Map<string, { font: ScriptFont; bytes: number }>()
const MAX_KEPT_BYTES = 16 * 1_048_576
let keptBytes = 0

function findKept(file: string): ScriptFont | null {
  const entry = kept.get(file)
  if (!entry) return null
  kept.delete(file)
  kept.set(file, entry)
  return entry.font
}

function keep({ family, file: name }: Place, unpacked: Buffer): ScriptFont {
  let file: Buffer | null = unpacked
  const font: ScriptFont = {
    name,
    family,
    takeFile() {
      if (!file) throw new Error(`The file of ${name} was taken before.`)
      const taken = file
      file = null
      return taken
    },
  }
  kept.set(name, { font, bytes: unpacked.length })
  keptBytes += unpacked.length
  for (const [oldest, { bytes }] of kept) {
    if (keptBytes <= MAX_KEPT_BYTES || oldest === name) break
    kept.delete(oldest)
    keptBytes -= bytes
  }
  return font
}
