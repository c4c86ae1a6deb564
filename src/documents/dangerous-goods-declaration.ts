import type { GoodsParticulars } from '../domain/account/account.ts'
import { dateWords } from './format.ts'
import type { Party } from './label/data.ts'
import { phoneWords, unWords } from './label/format.ts'
import { boxed, set } from './label/place.ts'
import type { Mark } from './marks.ts'
import {
  A4,
  bandMarks,
  type Column,
  EDGE,
  factMarks,
  footMarks,
  headMarks,
  line,
  pagesOf,
  ROOM,
  rowMarks,
  signatureMarks,
} from './paper.ts'
import { pdfDocument } from './pdf/document.ts'
import { loadShaperFor } from './script/load-shaper-for.ts'

/**
 * The paper that a carrier's driver must have in the cabin. Consignor and consignee are in the direction of
 * travel.
 */
export type GoodsDeclaration = {
  carrierName: string
  serviceCode: string
  /** Every entry may go by air. */
  byAir: boolean
  consignmentNumber: string
  reference: string
  sandbox: boolean
  /** `2026-11-24`, the store's date. */
  date: string
  consignor: Party
  consignee: Party
  goods: readonly DeclaredGoods[]
}

/** One entry, as the ADG Code 11.1 requires it. */
export type DeclaredGoods = {
  parcelReference: string
  /** `UN3481`. */
  unNumber: string
  properShippingName: string
  classDivision: string
  subsidiaryRisk: string | null
  packingGroup: string | null
  packages: number
  packaging: string
  /** Sum over the packages; gross when the net quantity is not known. */
  quantity: { kg: number; of: 'net' | 'gross' }
  /** The account's own declaration text for these goods. */
  declaration: string | null
  /** Null: the account has not given them. */
  particulars: GoodsParticulars | null
}

/** The dangerous goods declaration as a PDF: A4, as many pages as the goods need, each with everything to sign. */
export async function dangerousGoodsDeclarationPdf(declaration: GoodsDeclaration): Promise<Buffer> {
  await loadShaperFor(declaration)
  const pages = pagesOf(declaration.goods, ROWS)
  return pdfDocument(
    A4,
    (function* () {
      for (const [index, goods] of pages.entries()) {
        yield pageMarks(declaration, goods, index + 1, pages.length)
      }
    })(),
  )
}

const ROWS = 10
const ROW_HEIGHT = 88
const TABLE_TOP = 800

const COLUMNS: readonly Column[] = [
  { head: 'UN number', x: 0, width: 150, face: 'bold' },
  { head: 'Proper shipping name', x: 165, width: 470 },
  { head: 'Class / division', x: 650, width: 150, face: 'bold' },
  { head: 'Subsidiary', x: 815, width: 110 },
  { head: 'PG', x: 940, width: 60 },
  { head: 'Packages', x: 1015, width: 210 },
  { head: 'Quantity', x: 1240, width: 200, align: 'right' },
]

function pageMarks(
  declaration: GoodsDeclaration,
  goods: readonly DeclaredGoods[],
  page: number,
  pages: number,
): Mark[] {
  const { consignmentNumber, carrierName, serviceCode, reference, date, consignor, consignee } = declaration
  const half = ROOM / 2 - 30
  const rows = goods.flatMap((one, index) => {
    const at = { y: TABLE_TOP + 56 + index * ROW_HEIGHT, height: ROW_HEIGHT - 16, size: 30, lines: 2 }
    return rowMarks(COLUMNS, cellsOf(one), at)
  })
  return [
    ...bandMarks('Dangerous goods declaration', consignmentNumber, 90),
    ...bannerMarks(declaration),
    ...factMarks('Carrier', `${carrierName}, ${serviceCode}`, { x: 0, y: 280, width: 400 }),
    ...factMarks('Emergency, day and night', emergencyWords(declaration), { x: 420, y: 280, width: 280 }),
    ...factMarks('Reference', reference, { x: ROOM / 2, y: 280, width: 380 }),
    ...factMarks('Date', dateWords(date), { x: ROOM / 2 + 400, y: 280, width: 320 }),
    line(370, 2),
    ...partyMarks('Consignor', consignor, { x: 0, y: 390, width: half }),
    ...partyMarks('Consignee', consignee, { x: ROOM / 2, y: 390, width: half }),
    line(770, 2),
    ...headMarks(COLUMNS, TABLE_TOP),
    ...rows,
    ...statementMarks(declaration, 1760),
    ...signatureMarks('Name and position', { x: 0, y: 2200, width: 440 }),
    ...signatureMarks('Signature', { x: 480, y: 2200, width: 480 }),
    ...signatureMarks('Place and date', { x: 1000, y: 2200, width: 440 }),
    ...footMarks(`Consignment ${consignmentNumber}, order ${reference}, ${dateWords(date)}`, page, pages),
  ]
}

function bannerMarks({ byAir, sandbox }: GoodsDeclaration): Mark[] {
  const words = [
    byAir ? 'MAY BE CARRIED BY AIR' : 'ROAD ONLY – NOT BY AIR',
    ...(sandbox ? ['TEST – DO NOT CARRY'] : []),
  ]
  return words.flatMap((banner, index) =>
    boxed({ x: EDGE + index * 730, y: 214, width: 710, height: 48 }, banner, {
      loud: index === 0,
      max: 32,
      min: 20,
    }),
  )
}

function partyMarks(role: string, party: Party, at: { x: number; y: number; width: number }): Mark[] {
  const { suburb, state, postCode, country } = party
  const phone = party.phone === null ? '.'.repeat(40) : phoneWords(party.phone)
  const lines = [
    party.name,
    ...(party.company === null ? [] : [party.company]),
    ...party.lines,
    `${suburb} ${state} ${postCode} ${country}`,
    `Phone ${phone}`,
  ]
  const room = { x: EDGE + at.x, width: at.width }
  const step = Math.min(50, 320 / lines.length)
  return [
    ...set({ ...room, y: at.y, height: 26 }, role, { max: 26 }).marks,
    ...lines.flatMap(
      (words, index) =>
        set({ ...room, y: Math.round(at.y + 40 + index * step), height: step }, words, {
          face: index === 0 || index === lines.length - 1 ? 'bold' : 'plain',
          max: Math.min(36, Math.floor(step) - 8),
          min: 20,
        }).marks,
    ),
  ]
}

function statementMarks({ goods, byAir }: GoodsDeclaration, top: number): Mark[] {
  const code = byAir
    ? 'the Australian Dangerous Goods Code and, for carriage by air, the applicable international and national governmental regulations'
    : 'the Australian Dangerous Goods Code'
  const statement = `I declare that the contents of this consignment are fully and accurately described above by their proper shipping names, and are classified, packaged, marked and labelled, and are in all respects in proper condition for transport according to ${code}.`
  const own = [...new Set(goods.flatMap(({ declaration }) => declaration ?? []))].join(' · ')
  const box = { x: EDGE, width: ROOM }
  const said = set({ ...box, y: top, height: 170 }, statement, { max: 32, min: 22, lines: 5 })
  return [
    ...said.marks,
    ...set({ ...box, y: said.bottom + 20, height: 160 }, own, { max: 28, min: 18, lines: 5, breaks: true })
      .marks,
  ]
}

function cellsOf(goods: DeclaredGoods): string[] {
  const kg = Math.ceil(goods.quantity.kg * 1000 - 1e-6) / 1000
  return [
    unWords(goods.unNumber),
    [goods.properShippingName, ...particularWords(goods)].join(' · '),
    goods.classDivision,
    goods.subsidiaryRisk ?? 'none',
    goods.packingGroup ?? 'none',
    `${goods.packages} × ${goods.packaging}, parcel ${goods.parcelReference}`,
    `${kg} kg ${goods.quantity.of}`,
  ]
}

/** To fill in by hand when the value is not known. */
const BY_HAND = '.'.repeat(20)

function emergencyWords({ goods }: GoodsDeclaration): string {
  const phones = new Set(goods.flatMap(({ particulars }) => particulars?.emergencyPhone ?? []))
  return phones.size > 0 ? [...phones].join(', ') : BY_HAND
}

/** Fields that carriers' forms require beyond the Code; class 3 always needs a flash point. */
function particularWords({ classDivision, particulars }: DeclaredGoods): string[] {
  const { limitedQuantity = false, flashPointC = null, marinePollutant = false } = particulars ?? {}
  const flash = flashPointC ?? (classDivision.startsWith('3') ? BY_HAND : null)
  return [
    `limited quantity: ${limitedQuantity ? 'yes' : 'no'}`,
    ...(flash === null ? [] : [`flash point ${flash} °C`]),
    ...(marinePollutant ? ['marine pollutant'] : []),
    ...(particulars?.packingInstruction ? [`packing ${particulars.packingInstruction}`] : []),
  ]
}
