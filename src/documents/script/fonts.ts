import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { allCharacters } from '../pdf/cut.ts'
import { packTrueType } from '../pdf/woff.ts'
import { unpackWoff2 } from './woff2.ts'

/**
 * One file of a Noto family (OFL 1.1) as Fontsource splits it. `scale` and `raise` fit its marks above and below the
 * letters into our line spacing: the share of the type size, and how far the baseline is lifted, in per mille.
 */
export type ScriptFont = {
  name: string
  /** A TrueType file with a weight axis. */
  file: Buffer
  characters: ReadonlySet<number>
  scale: number
  raise: number
}

type Family = {
  name: string
  subsets: readonly string[] | 'sliced'
  of: RegExp
  scale: number
  raise?: number
}

const sans = (name: string, of: RegExp, scale: number, raise = 0): Family => ({
  name: `noto-sans-${name}`,
  subsets: [name],
  of,
  scale,
  raise,
})

/**
 * The families by the scripts that they print. Scripts with marks above and below are set smaller, by their tallest
 * syllables (`fonts.test.ts`). Chinese stands before Japanese, which has 4,800 further characters of names; in
 * a line with kana, Japanese stands first.
 */
const FAMILIES: readonly Family[] = [
  {
    name: 'noto-sans',
    subsets: ['cyrillic', 'cyrillic-ext', 'greek', 'greek-ext'],
    of: /\p{scx=Cyrl}|\p{scx=Grek}/u,
    scale: 0.94,
  },
  sans('arabic', /\p{scx=Arab}/u, 0.92, 40),
  sans('hebrew', /\p{scx=Hebr}/u, 1),
  sans('syriac', /\p{scx=Syrc}/u, 0.9, 40),
  sans('thaana', /\p{scx=Thaa}/u, 0.9, 40),
  sans('armenian', /\p{scx=Armn}/u, 0.94),
  sans('georgian', /\p{scx=Geor}/u, 0.94),
  sans('ethiopic', /\p{scx=Ethi}/u, 0.94),
  sans('thai', /\p{scx=Thai}/u, 0.86, 30),
  sans('lao', /\p{scx=Laoo}/u, 0.86, 30),
  sans('khmer', /\p{scx=Khmr}/u, 0.76, 120),
  sans('myanmar', /\p{scx=Mymr}/u, 0.78, 120),
  { name: 'noto-serif-tibetan', subsets: ['tibetan'], of: /\p{scx=Tibt}/u, scale: 0.7, raise: 140 },
  sans('devanagari', /\p{scx=Deva}/u, 0.86, 50),
  sans('bengali', /\p{scx=Beng}/u, 0.86, 50),
  sans('gurmukhi', /\p{scx=Guru}/u, 0.86, 50),
  sans('gujarati', /\p{scx=Gujr}/u, 0.86, 50),
  sans('oriya', /\p{scx=Orya}/u, 0.82, 60),
  sans('tamil', /\p{scx=Taml}/u, 0.9, 30),
  sans('telugu', /\p{scx=Telu}/u, 0.82, 70),
  sans('kannada', /\p{scx=Knda}/u, 0.82, 70),
  sans('malayalam', /\p{scx=Mlym}/u, 0.86, 50),
  sans('sinhala', /\p{scx=Sinh}/u, 0.84, 50),
  { name: 'noto-sans-jp', subsets: 'sliced', of: /\p{scx=Hira}|\p{scx=Kana}/u, scale: 0.92, raise: -40 },
  { name: 'noto-sans-sc', subsets: 'sliced', of: /\p{scx=Han}|\p{scx=Bopo}/u, scale: 0.92, raise: -40 },
  { name: 'noto-sans-jp', subsets: 'sliced', of: /\p{scx=Han}/u, scale: 0.92, raise: -40 },
  { name: 'noto-sans-kr', subsets: 'sliced', of: /\p{scx=Hang}/u, scale: 0.92, raise: -40 },
]

const isJapanese = ({ name }: Family) => name.endsWith('-jp')
const JAPANESE_FIRST = [...FAMILIES.filter(isJapanese), ...FAMILIES.filter((family) => !isJapanese(family))]

/** Letters, marks, digits and punctuation; symbols are left out: some (U+FDFD) are as wide as a line. */
const PRINTED = /[\p{L}\p{M}\p{Nd}\p{Nl}\p{P}]/u

const found = new Map<string, ScriptFont | null>()

/**
 * The font that prints a character that our Latin typefaces lack, or null. `near` is the font of the character before
 * it, which is preferred, so that a word is one run. `hasKana`: the line is Japanese, and so are its Chinese characters.
 */
export function fontFor(
  character: string,
  near: ScriptFont | null = null,
  hasKana = false,
): ScriptFont | null {
  const code = character.codePointAt(0) as number
  if (near?.characters.has(code)) return near
  const key = hasKana ? `${character} kana` : character
  const known = found.get(key)
  if (known !== undefined) return known
  const font = PRINTED.test(character) ? searchFont(character, code, hasKana) : null
  found.set(key, font)
  return font
}

/**
 * Whether a font prints the character: for the large families by the ranges that their packages list (tested), so that
 * reading a list of deliveries unpacks no fonts for its warnings.
 */
export function hasFont(character: string): boolean {
  if (!PRINTED.test(character)) return false
  const code = character.codePointAt(0) as number
  const isListed = FAMILIES.some(
    ({ name, subsets, of }) =>
      subsets === 'sliced' && of.test(character) && slicesWith(name, code).length > 0,
  )
  return isListed || fontFor(character) !== null
}

function searchFont(character: string, code: number, hasKana: boolean): ScriptFont | null {
  for (const family of hasKana ? JAPANESE_FIRST : FAMILIES) {
    if (!family.of.test(character)) continue
    for (const subset of family.subsets === 'sliced' ? slicesWith(family.name, code) : family.subsets) {
      const font = readFont(family, subset)
      if (font.characters.has(code)) return font
    }
  }
  return null
}

const fonts = new Map<string, ScriptFont>()

/** Read from disk when a character first needs it, then kept: 30 MB if a process had printed all of them. */
function readFont({ name, scale, raise = 0 }: Family, subset: string): ScriptFont {
  const file = `${name}-${subset}`
  const known = fonts.get(file)
  if (known) return known
  const tables = unpackWoff2(readPackageFile(`${name}/files/${file}-wght-normal.woff2`))
  const cmap = tables.get('cmap') as Buffer
  const font: ScriptFont = {
    name: file,
    file: packTrueType(tables, [...tables.keys()].sort()),
    characters: new Set([...allCharacters(cmap)].map(([character]) => character)),
    scale,
    raise,
  }
  fonts.set(file, font)
  return font
}

function readPackageFile(path: string): Buffer {
  return readFileSync(fileURLToPath(import.meta.resolve(`@fontsource-variable/${path}`)))
}

type Slice = { subset: string; ranges: readonly (readonly [number, number])[] }
const slices = new Map<string, readonly Slice[]>()

/** The files of a large family that may have a character, by the ranges in its `unicode.json`. */
function slicesWith(name: string, code: number): string[] {
  let known = slices.get(name)
  if (!known) {
    const ranges = JSON.parse(readPackageFile(`${name}/unicode.json`).toString()) as Record<string, string>
    known = Object.entries(ranges).map(([key, text]) => ({
      subset: key.replace(/[[\]]/g, ''),
      ranges: text.split(',').map((range) => {
        const [from = '', to = from] = range.trim().slice(2).split('-')
        return [Number.parseInt(from, 16), Number.parseInt(to, 16)] as const
      }),
    }))
    slices.set(name, known)
  }
  return known
    .filter(({ ranges }) => ranges.some(([from, to]) => code >= from && code <= to))
    .map(({ subset }) => subset)
}
