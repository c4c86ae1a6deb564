import type { GoodsParticulars } from '../domain/account/account.ts'
import { dateWords } from './format.ts'
import type { Party } from './label/data.ts'
import { phoneWords, unWords } from './label/format.ts'
import { boxed, set } from './label/place.ts'
import type { Mark } from './marks.ts'
import {
  A4,
  type Block,
  bandMarks,
  type Column,
  EDGE,
  type Fact,
  factMarks,
  footMarks,
  headMarks,
  inFlow,
  joined,
  line,
  pagesOf,
  ROOM,
  rowMarks,
  signatureMarks,
  wholeText,
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
  const head = headOf(declaration)
  const own = [...new Set(declaration.goods.flatMap(({ declaration: words }) => words ?? []))]
  const rows = [...declaration.goods.map(cellsOf), ...own]
  const pages = await pagesOf(rows, drawRow, { top: head.bottom, end: STATEMENT_TOP - 20 })
  const { consignmentNumber, reference, date } = declaration
  const foot = `Consignment ${consignmentNumber}, order ${reference}, ${dateWords(date)}`
  return pdfDocument(
    A4,
    (function* () {
      for (const [index, drawn] of pages.entries()) {
        const statement = statementMarks(declaration, STATEMENT_TOP)
        const signing = signaturesOf(SIGNATURES_TOP)
        yield [...head.marks, ...drawn, ...statement, ...signing, ...footMarks(foot, index + 1, pages.length)]
      }
    })(),
  )
}

const STATEMENT_TOP = 1_960
const SIGNATURES_TOP = 2_200

/** The cells of an entry, or a declaration of the account's own across the page. */
function drawRow(row: readonly string[] | string, y: number): Block {
  if (typeof row !== 'string') return rowMarks(COLUMNS, row, y, { size: 30, min: 88 })
  return wholeText({ x: 0, y: y + 8, width: ROOM }, row, { max: 28, min: 20, lines: 2 })
}

const COLUMNS: readonly Column[] = [
  { head: 'UN number', x: 0, width: 150, face: 'bold' },
  { head: 'Proper shipping name', x: 165, width: 470 },
  { head: 'Class / division', x: 650, width: 150, face: 'bold' },
  { head: 'Subsidiary', x: 815, width: 110 },
  { head: 'PG', x: 940, width: 60 },
  { head: 'Packages', x: 1015, width: 210 },
  { head: 'Quantity', x: 1240, width: 200, align: 'right' },
]

function headOf(declaration: GoodsDeclaration): Block {
  const { consignmentNumber, carrierName, serviceCode, reference, date, consignor, consignee } = declaration
  const half = ROOM / 2 - 30
  const right = ROOM / 2
  const facts: Fact[] = [
    { name: 'Carrier', value: `${carrierName}, ${serviceCode}`, x: 0, width: 400 },
    { name: 'Emergency, day and night', value: emergencyWords(declaration), x: 420, width: 280 },
    { name: 'Reference', value: reference, x: right, width: 380 },
    { name: 'Date', value: dateWords(date), x: right + 400, width: 320 },
  ]
  return inFlow(
    [
      (y) => bandMarks('Dangerous goods declaration', consignmentNumber, y),
      (y) => ({ marks: bannerMarks(declaration, y + 16), bottom: y + 66 }),
      (y) => factMarks(facts, y + 16),
      (y) => ({ marks: [line(y + 16, 2)], bottom: y + 34 }),
      (y) =>
        joined(
          [
            partyMarks('Consignor', consignor, { x: 0, y, width: half }),
            partyMarks('Consignee', consignee, { x: right, y, width: half }),
          ],
          y,
        ),
      (y) => ({ marks: [line(y + 16, 2)], bottom: y + 46 }),
      (y) => headMarks(COLUMNS, y),
    ],
    90,
  )
}

function signaturesOf(y: number): Mark[] {
  return [
    ...signatureMarks('Name and position', { x: 0, y, width: 440 }),
    ...signatureMarks('Signature', { x: 480, y, width: 480 }),
    ...signatureMarks('Place and date', { x: 1000, y, width: 440 }),
  ]
}

function bannerMarks({ byAir, sandbox }: GoodsDeclaration, y: number): Mark[] {
  const words = [
    byAir ? 'MAY BE CARRIED BY AIR' : 'ROAD ONLY – NOT BY AIR',
    ...(sandbox ? ['TEST – DO NOT CARRY'] : []),
  ]
  return words.flatMap((banner, index) =>
    boxed({ x: EDGE + index * 730, y, width: 710, height: 48 }, banner, {
      loud: index === 0,
      max: 32,
      min: 20,
    }),
  )
}

function partyMarks(role: string, party: Party, at: { x: number; y: number; width: number }): Block {
  const { suburb, state, postCode, country } = party
  const phone = party.phone === null ? '.'.repeat(40) : phoneWords(party.phone)
  const lines = [
    party.name,
    ...(party.company === null ? [] : [party.company]),
    ...party.lines,
    `${suburb} ${state} ${postCode} ${country}`,
    `Phone ${phone}`,
  ]
  const name = set({ x: EDGE + at.x, y: at.y, width: at.width, height: 26 }, role, { max: 26 })
  const { marks, bottom } = inFlow(
    lines.map((words, index) => (y: number) => {
      const face = index === 0 || index === lines.length - 1 ? 'bold' : 'plain'
      return wholeText({ ...at, y }, words, { face, max: 36, min: 20 })
    }),
    at.y + 40,
    12,
  )
  return { marks: [...name.marks, ...marks], bottom }
}

function statementMarks({ byAir }: GoodsDeclaration, top: number): Mark[] {
  const code = byAir
    ? 'the Australian Dangerous Goods Code and, for carriage by air, the applicable international and national governmental regulations'
    : 'the Australian Dangerous Goods Code'
  const statement = `I declare that the contents of this consignment are fully and accurately described above by their proper shipping names, and are classified, packaged, marked and labelled, and are in all respects in proper condition for transport according to ${code}.`
  const box = { x: EDGE, y: top, width: ROOM, height: 170 }
  return set(box, statement, { max: 32, min: 22, lines: 5 }).marks
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
