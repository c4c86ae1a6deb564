import type { FakeAnswer, FakeRequest } from '../fake.ts'
import { refuse, type Wrong } from './errors.ts'
import { moneyOf, priceOf } from './prices.ts'
import { type Asked, readConsignment } from './read-consignment.ts'
import { startScanSchedule } from './scans.ts'
import type { AramexState, StoredConsignment } from './state.ts'

const FIRST_CON_ID = 171_295_222
const FIRST_LABEL = 20_719_756
const PAGE = 1_000
/** "gets the deleted reason id's"; the references do not list them. */
const REASONS = [
  { id: 1, description: 'Incorrect address' },
  { id: 2, description: 'Incorrect item' },
  { id: 3, description: 'No longer required' },
]

type Priced = { asked: Asked; cents: readonly number[] }

export function quote(request: FakeRequest): FakeAnswer {
  const priced = pricedOf(request, 'quote')
  if (!('asked' in priced)) return refuse(...priced)
  const { asked, cents } = priced
  const items = asked.items.map((item, index) => ({
    productType: item.packageType,
    description:
      item.packageType === 'S' ? `Satchel ${item.satchelSize}` : `Parcel of ${item.weightDead}kg dead`,
    quantity: item.quantity,
    ...moneyOf(cents[index]! * item.quantity),
  }))
  return { status: 200, body: { data: { ...moneyOf(sumOf(priced)), items } } }
}

/** No idempotency key of any kind: the same request creates another consignment. */
export function createConsignment(state: AramexState, request: FakeRequest): FakeAnswer {
  const priced = pricedOf(request, 'book')
  if (!('asked' in priced)) return refuse(...priced)
  const total = Math.round(moneyOf(sumOf(priced)).total * 100)
  if (state.availableCents !== null) {
    if (state.availableCents < total) return refuse({ code: 'FIN_CR_LOW' })
    state.availableCents -= total
  }
  const { asked, cents } = priced
  const consignment: StoredConsignment = {
    conId: FIRST_CON_ID + state.consignments.size,
    createdMs: state.server.clock.nowMs(),
    asked,
    items: asked.items.map((item, index) => ({
      ...item,
      conItemId: state.labels.size + index + 1,
      label: `MS${String(FIRST_LABEL + state.labels.size + index).padStart(10, '0')}`,
      cents: cents[index]!,
      scans: [],
    })),
    deleted: false,
  }
  state.consignments.set(consignment.conId, consignment)
  for (const item of consignment.items) state.labels.set(item.label, item)
  state.server.ledger.write('consignment_created', {
    con_id: consignment.conId,
    external_ref_1: asked.externalRef1,
    external_ref_2: asked.externalRef2,
    labels: consignment.items.map(({ label }) => label),
    total_cents: total,
  })
  startScanSchedule(state, consignment)
  return { status: 201, body: { data: toJson(consignment) } }
}

export function getConsignment(state: AramexState, { params }: FakeRequest): FakeAnswer {
  const consignment = findConsignment(state, params.id)
  return consignment ? { status: 200, body: { data: toJson(consignment) } } : refuse({ code: 'REC_NF' })
}

/** Newest first. Days, by `from` and `to` (the wiki) or `fromDate` and `toDate` (their client). */
export function listConsignments({ consignments }: AramexState, { query }: FakeRequest): FakeAnswer {
  const from = query.get('fromDate') ?? query.get('from') ?? '0000-00-00'
  const to = query.get('toDate') ?? query.get('to') ?? '9999-99-99'
  const page = Number(query.get('pageNumber') ?? 0)
  const size = Number(query.get('pageSize') ?? PAGE)
  const all = [...consignments.values()].filter((consignment) => {
    const day = createdOn(consignment).slice(0, 10)
    return !consignment.deleted && day >= from && day <= to
  })
  return {
    status: 200,
    body: {
      data: all
        .reverse()
        .slice(page * size, (page + 1) * size)
        .map(toListEntry),
    },
  }
}

export const deletedReasons = (): FakeAnswer => ({ status: 200, body: { data: REASONS } })

/** Possible until the first scan; a second delete finds no consignment. */
export function deleteConsignment(state: AramexState, { params }: FakeRequest): FakeAnswer {
  const consignment = findConsignment(state, params.id)
  if (!consignment) return refuse({ code: 'REC_NF' })
  if (!REASONS.some(({ id }) => String(id) === params.reason))
    return refuse({ code: 'VAL_INVALID', where: 'reason' })
  if (consignment.items.some(({ scans }) => scans.length > 0)) {
    return refuse({ code: 'VAL_INVALID', where: 'the consignment was scanned' })
  }
  consignment.deleted = true
  state.server.ledger.write('consignment_deleted', {
    con_id: consignment.conId,
    reason: Number(params.reason),
  })
  return { status: 200, body: { data: null } }
}

/** A consignment that exists; a deleted one counts as absent. */
export function findConsignment(
  { consignments }: AramexState,
  id: string | undefined,
): StoredConsignment | null {
  const consignment = consignments.get(Number(id))
  return consignment && !consignment.deleted ? consignment : null
}

function pricedOf(request: FakeRequest, what: 'quote' | 'book'): Priced | readonly Wrong[] {
  const asked = readConsignment(request, what)
  if (!('items' in asked)) return asked
  const prices = asked.items.map(priceOf)
  const wrong = prices.flatMap((price) => (typeof price === 'number' ? [] : [price]))
  return wrong.length > 0 ? wrong : { asked, cents: prices as number[] }
}

function sumOf({ asked, cents }: Priced): number {
  return asked.items.reduce((sum, { quantity }, index) => sum + quantity * cents[index]!, 0)
}

function toJson({ conId, asked, items }: StoredConsignment) {
  const { instructionsPublic, externalRef1, externalRef2, to, services } = asked
  return {
    conId,
    ...moneyOf(items.reduce((sum, { cents, quantity }) => sum + cents * quantity, 0)),
    ...{ instructionsPublic, externalRef1, externalRef2, to, services },
    items: items.map(({ scans: _scans, cents, ...item }) => ({ ...item, ...moneyOf(cents * item.quantity) })),
  }
}

function toListEntry(consignment: StoredConsignment) {
  const { conId, price, tax, total } = toJson(consignment)
  const { to, externalRef1, externalRef2 } = consignment.asked
  return {
    ...{ conId, price, tax, total, externalRef1, externalRef2 },
    toContactName: to.contactName,
    toLocality: to.address.locality,
    toPostalCode: to.address.postalCode,
    itemCount: consignment.items.length,
    createdOn: createdOn(consignment),
  }
}

/** As .NET writes a time without a zone. */
function createdOn({ createdMs }: StoredConsignment): string {
  return new Date(createdMs).toISOString().slice(0, 19)
}
