import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** One Noto family (OFL 1.1) as Fontsource splits it into files. */
export type ScriptFamily = {
  name: string
  /** The share of the type size, so that marks above and below the letters fit into our line spacing. */
  scale: number
  /** How far the baseline is lifted, in per mille. */
  raise: number
  /** Matches the characters of the scripts that it prints. */
  of: RegExp
  subsets: readonly string[] | 'sliced'
}

const sans = (name: string, of: RegExp, scale: number, raise = 0): ScriptFamily => ({
  name: `noto-sans-${name}`,
  subsets: [name],
  of,
  scale,
  raise,
})
const sliced = (name: string, of: RegExp): ScriptFamily => ({
  name: `noto-sans-${name}`,
  subsets: 'sliced',
  of,
  scale: 0.92,
  raise: -40,
})

/**
 * The families by the scripts that they print. Scripts with marks above and below are set smaller, by their tallest
 * syllables (`scripts.test.ts`). Chinese stands before Japanese, which has 4,800 further characters of names; in
 * a line with kana, Japanese stands first.
 */
export const FAMILIES: readonly ScriptFamily[] = [
  {
    ...sans('', /\p{scx=Cyrl}|\p{scx=Grek}/u, 0.94),
    name: 'noto-sans',
    subsets: ['cyrillic', 'cyrillic-ext', 'greek', 'greek-ext'],
  },
  sans('arabic', /\p{scx=Arab}/u, 0.84, 80),
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
  { ...sans('', /\p{scx=Tibt}/u, 0.7, 140), name: 'noto-serif-tibetan', subsets: ['tibetan'] },
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
  sliced('jp', /\p{scx=Hira}|\p{scx=Kana}/u),
  sliced('sc', /\p{scx=Han}|\p{scx=Bopo}/u),
  sliced('jp', /\p{scx=Han}/u),
  sliced('kr', /\p{scx=Hang}/u),
]
const isJapanese = ({ name }: ScriptFamily) => name.endsWith('-jp')
const JAPANESE_FIRST = [...FAMILIES.filter(isJapanese), ...FAMILIES.filter((family) => !isJapanese(family))]

/** Letters, marks, digits and punctuation; symbols are left out: some (U+FDFD) are as wide as a line. */
export const PRINTED = /[\p{L}\p{M}\p{Nd}\p{Nl}\p{P}]/u

/** The characters that a package lists and its font lacks (`families.test.ts` walks all of them). */
const LACKING: Readonly<Record<string, RegExp>> = {
  'noto-sans': /[\u1c89\u1c8a]/,
  'noto-serif-tibetan': /[\u3008-\u300b]/,
  'noto-sans-sc':
    /[\uf90a\uf941\uf969\uf96b\uf96f\uf978\uf981\uf997\uf99c\uf9b2\uf9b5\uf9ba\uf9ca\uf9d1\uf9e1\uf9f7\ufa00\ufa01\u9ff0-\u9fff\u4db6-\u4dbf]/,
  'noto-sans-arabic': /\u0897/,
  'noto-sans-syriac': /[\u0860-\u086a]|\u1df8|\u1dfa/,
  'noto-sans-georgian': /[\u205a\u2e31]/,
  'noto-sans-devanagari': /\u1cf7/,
  'noto-sans-oriya': /[\u0951\u0952\u1cda\u1cf2]/,
  'noto-sans-telugu': /\u0c5c/,
  'noto-sans-kannada': /[\u0cdc\u1cd3]/,
  'noto-sans-malayalam': /\u1cf2/,
  'noto-sans-sinhala': /\u1cf2/,
}

/**
 * The family that prints a character that our Latin typefaces lack, or null. It is found by the ranges that the
 * packages list, so that no font is read. `hasKana`: the line is Japanese, and so are its Chinese characters.
 */
export function familyOf(character: string, hasKana = false): ScriptFamily | null {
  if (!PRINTED.test(character)) return null
  for (const family of hasKana ? JAPANESE_FIRST : FAMILIES)
    if (family.of.test(character) && fileOf(family, character) !== null) return family
  // Fullwidth punctuation belongs to no script: a line that starts with `（` has it from the Chinese family too.
  if (!FULLWIDTH_PUNCTUATION.test(character)) return null
  return EAST_ASIAN[hasKana ? 'japanese' : 'chinese']
}

const FULLWIDTH_PUNCTUATION = /(?=\p{P})[\uff01-\uff5e]/u
const EAST_ASIAN = {
  japanese: JAPANESE_FIRST.find(isJapanese) as ScriptFamily,
  chinese: FAMILIES.find(({ name }) => name.endsWith('-sc')) as ScriptFamily,
}

/**
 * The width of a text of full-width characters only, in per mille of the type size, or null: the text must be shaped to
 * learn its width. So a long Chinese text is measured without its fonts.
 */
export function fullWidthOf(text: string): number | null {
  if (!FULL_WIDTH.test(text)) return null
  let width = 0
  for (const character of text) width += HANGUL.test(character) ? FULL.hangul : FULL.others
  return width
}

const FULL = { hangul: 920 * 0.92, others: 1000 * 0.92 }
const HANGUL = /[\uac00-\ud7a3]/
/** Chinese characters, Hangul syllables, kana but the halfwidth ones, and their punctuation. */
const FULL_WIDTH =
  /^[\p{Unified_Ideograph}\uac00-\ud7a3\u3041-\u3096\u30a1-\u30fa\u3001\u3002\uff0c\uff01\uff1f\uff1a\uff1b]+$/u

export function hasFont(character: string): boolean {
  return familyOf(character) !== null
}

/** The file of the family that has the character, or null. */
export function fileOf({ name, subsets, of }: ScriptFamily, character: string): string | null {
  // Packages list characters of scripts that they do not print.
  if (!of.test(character) && !(subsets === 'sliced' ? WIDE : SHARED).test(character)) return null
  const code = character.codePointAt(0) as number
  const { places, files } = coverageOf(name, subsets)
  const place = places[code] ?? 0
  if (place === 0 || LACKING[name]?.test(character)) return null
  return files[place - 1] ?? null
}

/** Marks and punctuation that several scripts share; `WIDE`: those of Chinese, Japanese and Korean. */
const SHARED = /[\p{sc=Common}\p{sc=Inherited}]/u
const WIDE = /[\u3001-\u303f\u3099-\u309c\u30fc\uff01-\uff5e]/

/** For each code point, one more than the place of its file in `files`; 0 for a character that no file has. */
type Coverage = { places: Uint8Array; files: readonly string[] }
const coverages = new Map<string, Coverage>()
/** The first code point that no font has: a table has 196 kB for a large family, and 64 kB for a small one. */
const END = { sliced: 0x30000, small: 0x10000 }

function coverageOf(name: string, subsets: ScriptFamily['subsets']): Coverage {
  const known = coverages.get(name)
  if (known) return known
  const ranges = JSON.parse(readPackageFile(`${name}/unicode.json`).toString()) as Record<string, string>
  const files: string[] = []
  const places = new Uint8Array(subsets === 'sliced' ? END.sliced : END.small)
  for (const [key, text] of Object.entries(ranges)) {
    const subset = key.replace(/[[\]]/g, '')
    // A large family has its Latin letters in subsets that have names.
    if (subsets === 'sliced' ? !/^\d+$/.test(subset) : !subsets.includes(subset)) continue
    files.push(`${name}-${subset}`)
    for (const range of text.split(',')) {
      const [from = '', to = from] = range.trim().slice(2).split('-')
      // Cyrillic stands after its extension, whose ranges list four letters that only Cyrillic has.
      places.fill(files.length, Number.parseInt(from, 16), Number.parseInt(to, 16) + 1)
    }
  }
  const made = { places, files }
  coverages.set(name, made)
  return made
}

export function readPackageFile(path: string): Buffer {
  return readFileSync(fileURLToPath(import.meta.resolve(`@fontsource-variable/${path}`)))
}
