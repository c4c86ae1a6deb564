import { boxed, set } from '../../src/documents/label/place.ts'
import type { Mark } from '../../src/documents/marks.ts'
import { pdfDocument } from '../../src/documents/pdf/document.ts'
import type { FakeAnswer, FakeRequest } from '../fake.ts'
import { findConsignment } from './consignments.ts'
import { refuse } from './errors.ts'
import type { AramexState, StoredConsignment, StoredItem } from './state.ts'

/** In dots, 8 to the millimetre. */
const SHEETS: Readonly<Record<string, { width: number; height: number }>> = {
  A4: { width: 1_680, height: 2_376 },
  '4x6': { width: 813, height: 1_219 },
}

/** All labels of a consignment as a PDF, one per page; or a single one. */
export async function labelsPdf(state: AramexState, { params, query }: FakeRequest): Promise<FakeAnswer> {
  const consignment = findConsignment(state, params.id)
  const items =
    consignment?.items.filter(({ label }) => params.label === undefined || label === params.label) ?? []
  const sheet = SHEETS[query.get('pageSize') ?? 'A4']
  if (!consignment || items.length === 0) return refuse({ code: 'REC_NF' })
  if (!sheet) return refuse({ code: 'VAL_INVALID', where: 'pageSize' })
  const body = await pdfDocument(
    sheet,
    items.map((item) => marksOf(consignment, item)),
  )
  return { status: 200, headers: { 'content-type': 'application/pdf' }, body }
}

/** Marked clearly as not a real label. */
function marksOf({ conId, asked }: StoredConsignment, { label, reference }: StoredItem): Mark[] {
  const { contactName, businessName, address } = asked.to
  const lines = [
    contactName,
    businessName,
    address.streetAddress,
    `${address.locality} ${address.stateOrProvince} ${address.postalCode}`,
    `Con. ${conId}  Item ${reference}`,
    label,
  ]
  return [
    ...boxed({ x: 24, y: 24, width: 752, height: 84 }, 'FAKE – DO NOT SEND', {
      loud: true,
      max: 44,
      min: 20,
    }),
    ...lines.flatMap(
      (line, row) =>
        set({ x: 24, y: 160 + row * 60, width: 752, height: 50 }, line, { max: 40, min: 16 }).marks,
    ),
  ]
}
