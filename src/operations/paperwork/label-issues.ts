import { setImmediate as nextTurn } from 'node:timers/promises'
import { ALWAYS_FIT } from '../../documents/label/always-fit.ts'
import { fitsGoods, fitsLabel, fitsStore } from '../../documents/label/layout.ts'
import type { Label } from '../../documents/label.ts'
import { widthOf } from '../../documents/pdf/face.ts'
import { charactersWithoutFont, findIllegible, printable } from '../../documents/pdf/printable.ts'
import { loadWidthsFor } from '../../documents/script/load-shaper-for.ts'
import { turnsOf } from '../../documents/turns.ts'
import type { Account } from '../../domain/account/account.ts'
import type { DeliveryContent } from '../../domain/delivery/delivery.ts'
import type { RequestParcel } from '../../domain/delivery/request.ts'
import { type Issue, MAX_ISSUES, Refusal } from '../../domain/errors.ts'
import type { ResolvedDelivery } from '../../domain/quoting/resolve/resolve-delivery.ts'
import { summariseIssues } from '../../domain/refuse.ts'
import { nameCharacter } from '../../domain/text/text-class.ts'
import { toLabel } from './delivery-label.ts'

type Described = Pick<ResolvedDelivery, 'content' | 'store' | 'readyForPickupAtMs'>

/**
 * Refuses `invalid_request` if a text of the delivery would be cut or printed as `?` on its labels. Most texts are short,
 * and are not laid out at all.
 */
export async function refuseCutLabel(
  account: Account,
  reference: string,
  resolved: Described,
): Promise<void> {
  const texts = toTexts(resolved.content, reference, account.dangerousGoods)
  const illegible = illegibleIssues(texts, resolved.content.parcels)
  if (illegible.length > 0)
    throw new Refusal('invalid_request', summariseIssues(illegible), { issues: illegible })
  if ([...texts].every(isShort)) return
  await nextTurn()
  await loadWidthsFor(labelWith(account, resolved, texts))
  await nextTurn()
  const turn = turnsOf()
  const fits = async (shorter: Texts) => {
    await turn()
    const label = withoutTooLong(labelWith(account, resolved, shorter), shorter)
    return label.articles.every((article) => fitsLabel(label, article))
  }
  if (await fits(texts)) return
  const issues = await tooLong(texts, fits)
  throw new Refusal('invalid_request', summariseIssues(issues), { issues, cost: COST_OF_REFUSAL })
}

/**
 * In creates. Drover lays out up to a dozen labels to find lengths that fit: 5 ms of CPU in Latin letters, 10 in many
 * scripts, 37 with 1,300 different Chinese characters. An accepted create takes 1, a quote 0.1 (28 November 2026).
 */
export const COST_OF_REFUSAL = 60

/** Parcels have labels of their own, so all of them are read, not only the widest. */
function illegibleIssues(texts: Texts, parcels: readonly RequestParcel[]): Issue[] {
  const all = new Map(texts)
  for (const [index, { reference, description, dangerousGoods }] of parcels.entries()) {
    const field = `parcels[${index}]`
    all.set(`${field}.reference`, reference)
    all.set(`${field}.description`, description ?? '')
    all.set(`${field}.dangerous_goods.technical_name`, dangerousGoods?.technicalName ?? '')
  }
  const issues: Issue[] = []
  for (const [field, text] of all) {
    const character = findIllegible(text, 'plain')
    if (character === null || issues.length === MAX_ISSUES) continue
    const position = [...text.normalize('NFC')].indexOf(character) + 1
    const message = `${field} contains ${nameCharacter(character)} at position ${position}. Labels cannot print this character. Remove or replace it.`
    issues.push({ field, issue: 'invalid_value', message })
  }
  return issues
}

/** A warning for each text that has characters for which no font of the labels has a glyph. */
export function labelWarnings(content: DeliveryContent, reference: string): string[] {
  return [...toTexts(content, reference)].flatMap(([field, text]) => {
    const lacking = charactersWithoutFont(text, 'plain')
    if (lacking.length === 0) return []
    const shown = lacking.slice(0, MAX_NAMED).map((character) => {
      const inLatin = printable(character, 'plain')
      return `${character} as “${inLatin}”`
    })
    const others = lacking.length > MAX_NAMED ? `, and ${lacking.length - MAX_NAMED} others like them` : ''
    return [`In ${field} the label prints ${shown.join(', ')}${others}, because its fonts do not have them.`]
  })
}

const MAX_NAMED = 4

/** Texts by the path of their field in a request. */
type Texts = ReadonlyMap<string, string>

const NOTES = new Set(['special_instructions', 'pickup_instructions'])

function isShort([field, text]: [string, string]): boolean {
  // Other letters have other widths, and may be transliterated.
  if (!/^[\x20-\u017F]*$/.test(text)) return false
  if (field.endsWith('reference')) return text.length <= ALWAYS_FIT.code
  return (
    widthOf('plain', text) <= (NOTES.has(field) ? ALWAYS_FIT.note : ALWAYS_FIT.text) * widthOf('plain', 'W')
  )
}

/**
 * An issue for each text that must become shorter: for one alone if that is enough, the longest first, or else for all,
 * each at the same share of its length.
 */
async function tooLong(texts: Texts, fits: (texts: Texts) => Promise<boolean>): Promise<Issue[]> {
  const longest = [...texts.entries()]
    .filter((entry) => !isShort(entry))
    .sort(([, a], [, b]) => b.length - a.length)
  for (const [field, text] of longest.slice(0, MAX_TRIED)) {
    const fitsAt = (to: number) => fits(new Map(texts).set(field, text.slice(0, to)))
    if (!(await fitsAt(1))) continue
    const length = await longestThat(text.length, fitsAt)
    if (length > 0) return [toIssue(field, text, length)]
  }
  const shorter = (share: number) =>
    new Map([...texts].map(([field, text]) => [field, text.slice(0, lengthAt(text, share))]))
  const hundredths = await longestThat(100, (share) => fits(shorter(share)))
  return longest.map(([field, text]) => toIssue(field, text, lengthAt(text, hundredths)))
}

/** Each try takes 1 to 2 ms, and a refusal may not cost more than the delivery that it refuses. */
const MAX_TRIED = 1
/** A length is found to a 32nd of the text: five tries. */
const EXACTNESS = 32

function lengthAt(text: string, hundredths: number): number {
  return Math.max(ALWAYS_FIT.text, Math.floor((text.length * hundredths) / 100))
}

/** A number close to the largest that passes, if it and all below it pass; 0 if none does. */
async function longestThat(max: number, passes: (length: number) => Promise<boolean>): Promise<number> {
  let [low, high] = [0, max]
  while (high - low > Math.max(1, max / EXACTNESS)) {
    const between = Math.floor((low + high) / 2)
    if (await passes(between)) low = between
    else high = between
  }
  return low
}

function toIssue(field: string, text: string, length: number): Issue {
  const message = `${field} has ${text.length} characters, and the label has space for ${length} of them beside the other texts. Shorten it.`
  return { field, issue: 'too_long', message }
}

function toTexts(content: DeliveryContent, reference: string, definitions: Definitions = new Map()): Texts {
  const { address, customer, specialInstructions, pickupInstructions } = content
  const named = address.name !== null
  const texts: [string, string | null][] = [
    ['reference', reference],
    ['special_instructions', specialInstructions],
    ['pickup_instructions', pickupInstructions],
    ['address.name', address.name],
    ['address.company_name', address.companyName],
    ['address.address', address.address],
    ['address.address2', address.address2],
    ['address.city', address.city],
    ['customer.first_name', named ? null : customer.firstName],
    ['customer.last_name', named ? null : customer.lastName],
  ]
  for (const { index, parcel } of widestParcels(content.parcels, definitions)) {
    texts.push([`parcels[${index}].reference`, parcel.reference])
    texts.push([`parcels[${index}].description`, parcel.description])
    texts.push([
      `parcels[${index}].dangerous_goods.technical_name`,
      parcel.dangerousGoods?.technicalName ?? null,
    ])
  }
  return new Map(texts.filter((entry): entry is [string, string] => entry[1] !== null && entry[1] !== ''))
}

type Definitions = Account['dangerousGoods']

/** The parcel with the widest contents, and the one with the widest name of dangerous goods: its own, or its definition's. */
function widestParcels(
  parcels: readonly RequestParcel[],
  definitions: Definitions,
): { index: number; parcel: RequestParcel }[] {
  const indexed = parcels.map((parcel, index) => ({ parcel, index }))
  const widest = (width: (parcel: RequestParcel) => number) =>
    indexed.reduce((max, one) => (width(one.parcel) > width(max.parcel) ? one : max))
  const contents = widest(({ reference, description }) => widthOf('plain', `${reference} ${description}`))
  const goods = widest(({ dangerousGoods }) => {
    const defined = definitions.get(dangerousGoods?.definition ?? '')?.technicalName
    return widthOf('plain', dangerousGoods?.technicalName ?? defined ?? '')
  })
  return contents === goods ? [contents] : [contents, goods]
}

/** The labels of the widest parcels with other texts. They have the banner of a sandbox, so that a live account is not stricter. */
function labelWith(account: Account, { content, store, readyForPickupAtMs }: Described, texts: Texts): Label {
  const of = (field: string, value: string | null) => (value === null ? null : (texts.get(field) ?? value))
  const { address, customer } = content
  const parcels = widestParcels(content.parcels, account.dangerousGoods).map(({ index, parcel }) => ({
    ...parcel,
    quantity: 1,
    reference: texts.get(`parcels[${index}].reference`) ?? parcel.reference,
    description: of(`parcels[${index}].description`, parcel.description),
    dangerousGoods: parcel.dangerousGoods && {
      ...parcel.dangerousGoods,
      technicalName: of(
        `parcels[${index}].dangerous_goods.technical_name`,
        parcel.dangerousGoods.technicalName,
      ),
    },
  }))
  const label = toLabel(account, {
    ...UNBOOKED,
    storeId: store.id,
    readyForPickupAtMs,
    window: { fromMs: readyForPickupAtMs, toMs: readyForPickupAtMs + DAY_MS },
    reference: texts.get('reference') ?? '',
    articles: parcels.map((parcel) => ({ parcelReference: parcel.reference, articleIds: ['0'.repeat(20)] })),
    content: {
      ...content,
      specialInstructions: of('special_instructions', content.specialInstructions),
      pickupInstructions: of('pickup_instructions', content.pickupInstructions),
      address: {
        ...address,
        name: of('address.name', address.name),
        companyName: of('address.company_name', address.companyName),
        address: texts.get('address.address') ?? address.address,
        address2: of('address.address2', address.address2),
        city: texts.get('address.city') ?? address.city,
      },
      customer: {
        ...customer,
        firstName: texts.get('customer.first_name') ?? customer.firstName,
        lastName: texts.get('customer.last_name') ?? customer.lastName,
      },
      parcels,
    },
  })
  return { ...label, sandbox: true }
}

/**
 * The label without the account's texts that fit on no label. Accounts that were applied before Drover rejected such
 * texts (`label-mistakes.ts`) still have them, and no shorter text of a delivery would help.
 */
function withoutTooLong(label: Label, texts: Texts): Label {
  const side = label.mode === 'customer_pickup' ? 'to' : 'from'
  const store = label[side]
  const ofDelivery = new Set(texts.values())
  const articles = label.articles.map((article) => {
    const goods = article.dangerousGoods
    const isWhole = goods === null || ofDelivery.has(goods.properShippingName) || fitsGoods(goods)
    return isWhole ? article : { ...article, dangerousGoods: null }
  })
  if (fitsStore(store)) return { ...label, articles }
  return { ...label, articles, [side]: { ...store, name: '', company: null, lines: [], suburb: '' } }
}

const DAY_MS = 86_400_000

/** What a booking adds, at its longest (`carrierNumber`). */
const UNBOOKED = {
  id: `dlv_${'0'.repeat(26)}`,
  chosen: { carrierName: 'Carrier', service: 'Service', carrierCode: 'CODE', pickupMs: 0 },
  consignmentNumber: '0'.repeat(64),
  deliveryType: 'standard',
  createdAtMs: 0,
  bookedAtMs: null,
} as const
