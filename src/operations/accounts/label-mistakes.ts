import { ALWAYS_FIT } from '../../documents/label/always-fit.ts'
import type { Party } from '../../documents/label/data.ts'
import { fitsBand, fitsGoods, fitsStore } from '../../documents/label/layout.ts'
import { loadWidthsFor } from '../../documents/script/load-shaper-for.ts'
import { turnsOf } from '../../documents/turns.ts'
import type { Path } from '../../domain/account/document/schema-at.ts'
import { entries, field, textField } from '../../domain/account/validation/loose.ts'
import type { AccountMistake } from '../../domain/account/validation/mistake.ts'
import { MAX_ISSUES } from '../../domain/errors.ts'

/**
 * Names and addresses of an account document that do not fit on a label in its smallest type, up to the maximum of
 * one answer. Texts that pass are printed in full with every delivery: A4 documents have more space than a label. Reads
 * documents of any shape.
 *
 * Short Latin texts are not laid out, and need neither fonts nor the shaper.
 */
export async function labelMistakes(document: unknown): Promise<AccountMistake[]> {
  const turn = turnsOf()
  const mistakes: AccountMistake[] = []
  const add = async (printed: Printed) => {
    const found = await listMistakes(printed)
    mistakes.push(...found)
    await turn()
    return found.length > 0
  }
  const brands = new Map<unknown, string>()
  for (const { value, path } of entries(document, 'brands')) {
    const brand = textAt(value, path, 'name')
    const isTooLong = await add(brandName(brand))
    // A brand that is too long is named once, and not with each of its stores.
    brands.set(field(value, 'reference'), isTooLong ? FULL : brand.words)
  }
  const [firstBrand = FULL] = brands.values()
  for (const store of entries(document, 'stores')) {
    const brand = field(store.value, 'brand')
    await add(storeTexts(store, brand === undefined ? firstBrand : (brands.get(brand) ?? FULL)))
    if (mistakes.length >= MAX_ISSUES) break
  }
  for (const printed of [...carrierTexts(document), ...goodsNames(document)]) {
    if (mistakes.length >= MAX_ISSUES) break
    await add(printed)
  }
  return mistakes.slice(0, MAX_ISSUES)
}

/** A text of the document; empty where there is no text, or where its schema refuses it as too long. */
type PrintedText = { path: Path; words: string; remedy?: string }
/** Texts that share a part of the label. */
type Printed = {
  texts: readonly PrintedText[]
  /** Latin texts of at most this many letters together fit, however wide the letters are (tested). */
  shortLetters: number
  /** Whether these words would fit in place of the texts. */
  fits(words: readonly string[]): boolean
}

/** The widest text that a store always has beside the others. */
const FULL = 'W'.repeat(ALWAYS_FIT.text)
/** A store with its state, postcode and phone at their widest. */
const STORE: Party = {
  name: FULL,
  company: FULL,
  phone: `+${'0'.repeat(15)}`,
  lines: [FULL, FULL],
  suburb: FULL,
  state: 'NSW',
  postCode: '0000',
  country: 'AU',
}

function brandName(brand: PrintedText): Printed {
  return { texts: [brand], shortLetters: 30, fits: ([company = '']) => fitsStore({ ...STORE, company }) }
}

function storeTexts({ value, path }: { value: unknown; path: Path }, company: string): Printed {
  const address = field(value, 'address')
  const name = textAt(value, path, 'name')
  const reference = {
    ...textAt(value, path, 'reference'),
    remedy: 'shorten it, or give the store a name, which is printed instead',
  }
  const ofAddress = (key: string) => textAt(address, [...path, 'address'], key)
  return {
    texts: [
      field(value, 'name') === undefined ? reference : name,
      ofAddress('address'),
      ofAddress('address2'),
      ofAddress('city'),
    ],
    shortLetters: company.length > MAX_SHORT_BRAND ? 0 : 60,
    fits: ([printedName = '', street = '', unit = '', suburb = '']) =>
      fitsStore({ ...STORE, company, name: printedName, lines: [street, unit], suburb }),
  }
}

const MAX_SHORT_BRAND = 30

function* carrierTexts(document: unknown): Generator<Printed> {
  const band = { carrierName: '', serviceName: '', serviceCode: '', deliveryType: 'standard' } as const
  for (const { value: carrier, path } of entries(document, 'carriers')) {
    yield {
      texts: [textAt(carrier, path, 'name')],
      shortLetters: 60,
      fits: ([carrierName = '']) => fitsBand({ ...band, carrierName }),
    }
    for (const { value, path: at } of entries(carrier, 'services', path))
      yield {
        texts: [textAt(value, at, 'service'), textAt(value, at, 'carrier_code')],
        shortLetters: 60,
        fits: ([serviceName = '', serviceCode = '']) => fitsBand({ ...band, serviceName, serviceCode }),
      }
  }
}

function* goodsNames(document: unknown): Generator<Printed> {
  const goods = { unNumber: 'UN0000', classDivision: '1.4S', packingGroup: 'III' }
  for (const { value, path } of entries(document, 'dangerous_goods_definitions'))
    yield {
      texts: [textAt(value, path, 'technical_name')],
      shortLetters: 50,
      fits: ([properShippingName = '']) => fitsGoods({ ...goods, properShippingName }),
    }
}

function textAt(value: unknown, path: Path, key: string): PrintedText {
  const words = textField(value, key) ?? ''
  return { path: [...path, key], words: words.length > MAX_TEXT ? '' : words }
}

/** The longest that the schema accepts. */
const MAX_TEXT = 200

/**
 * A mistake for each text that must become shorter: the longest alone if that is enough, or else all that are longer
 * than the length at which all fit.
 */
async function listMistakes({ texts, shortLetters, fits }: Printed): Promise<AccountMistake[]> {
  const words = texts.map((text) => text.words)
  const together = words.join('')
  if (together.length <= shortLetters && /^[ -~]*$/.test(together)) return []
  await loadWidthsFor(words)
  if (fits(words)) return []
  const lettersOf = words.map((text) => [...text])
  const max = Math.max(...lettersOf.map((letters) => letters.length))
  const longest = lettersOf.findIndex((letters) => letters.length === max)
  const cutTo = (index: number, length: number) => lettersOf[index]!.slice(0, length).join('').trim()
  const alone = longestThat(max, (length) =>
    fits(words.map((text, index) => (index === longest ? cutTo(index, length) : text))),
  )
  if (alone >= ALWAYS_FIT.text) return [toMistake(texts[longest]!, alone)]
  const each = longestThat(max, (length) => fits(words.map((_, index) => cutTo(index, length))))
  return texts.flatMap((text, index) => (lettersOf[index]!.length > each ? [toMistake(text, each)] : []))
}

function toMistake({ path, remedy = 'shorten it' }: PrintedText, letters: number): AccountMistake {
  const wrong = `is too long to print on a label; at most about ${letters} letters like these fit`
  return { path, kind: 'too_long', wrong, remedy }
}

/** The largest number that passes, if it and all below it pass; 0 if none does. */
function longestThat(max: number, passes: (length: number) => boolean): number {
  let [low, high] = [0, max]
  while (high - low > 1) {
    const between = Math.floor((low + high) / 2)
    if (passes(between)) low = between
    else high = between
  }
  return low
}
