import { articleBarcodes, deliveryBarcodes } from '../../documents/barcode-content.ts'
import { type Label, type LabelArticle, labelPdf, labelZpl, type Party } from '../../documents/label.ts'
import { mergePdfs } from '../../documents/merge-pdfs.ts'
import { turnsOf } from '../../documents/turns.ts'
import type { Account, Store } from '../../domain/account/account.ts'
import { windowZoneOfDelivery } from '../../domain/calendar/window-zone.ts'
import { formatDate, localDay } from '../../domain/calendar/zone.ts'
import { toActionFacts, whyNot } from '../../domain/delivery/actions/why-not.ts'
import type { ChosenOption, Delivery } from '../../domain/delivery/delivery.ts'
import { handoverTerms } from '../../domain/delivery/terms.ts'
import { Refusal } from '../../domain/errors.ts'
import type { LabelFormat } from '../../domain/values.ts'
import { type DeliveryRow, toDelivery } from '../../store/deliveries/delivery-rows.ts'
import { getDeliveryRow } from '../delivery-lookup/get-delivery.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import type { Caller } from '../directory/caller.ts'
import { toJobParcels } from '../quoting/to-job.ts'
import { carrierLabel, labelMaker } from './carrier-label.ts'

/** `storeReference`: where two stores use a reference. `field`: the request's field with the names, for its errors. */
export type LabelOptions = { storeReference?: string | null; skipUnavailable?: boolean; field?: string }

/**
 * The labels of the named deliveries in their order, as one document: a page (PDF) or `^XA…^XZ` (ZPL) for each parcel;
 * the carrier's own if it makes them. Refuses `label_not_available` if any delivery is not booked, naming all of these,
 * and if a carrier's PDF cannot be merged with the others. With `skipUnavailable` the deliveries without a label are
 * left out and named, unless none is left.
 */
export async function deliveryLabels(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  names: readonly string[],
  format: LabelFormat,
  { storeReference = null, skipUnavailable = false, field = 'delivery_ids' }: LabelOptions = {},
): Promise<{ document: Buffer; leftOut: string[] }> {
  const named = await Promise.all(
    names.map((idOrReference) => getDeliveryRow(deps, entry, caller, { idOrReference, storeReference })),
  )
  const hasLabel = (row: DeliveryRow) =>
    whyNot('print', toActionFacts(toDelivery(row), entry.nowMs())) === null
  const [rows, waiting] = [named.filter(hasLabel), named.filter((row) => !hasLabel(row))]
  if (waiting.length > 0 && (!skipUnavailable || rows.length === 0)) {
    const which = waiting.map(({ reference, status }) => `${reference} is ${status}`).join(', ')
    throw new Refusal(
      'label_not_available',
      `A label exists once a carrier has confirmed the booking: ${which}.`,
    )
  }
  const leftOut = [...new Set(waiting.map(({ delivery_id }) => delivery_id))]
  refuseTooMany(rows, field)
  const runs = await labelRuns(deps, rows, format)
  const parts = await Promise.all(
    runs.map(({ maker, rows: [first, ...others] }) =>
      maker ? carrierLabel(deps, maker, first, format) : ourLabels(deps, [first, ...others], format),
    ),
  )
  if (format === 'zpl') return { document: Buffer.concat(parts), leftOut }
  const merged = await mergePdfs(parts)
  if (Buffer.isBuffer(merged)) return { document: merged, leftOut }
  const { reference, chosen } = (runs[merged.index] as LabelRun).rows[0]
  throw new Refusal(
    'label_not_available',
    `The label of ${reference} is ${chosen?.carrierName ?? 'its carrier'}’s own and cannot be merged with the others. Print it separately.`,
  )
}

/** As many as one delivery may have: a document of two million labels would exhaust the process's memory. */
const MAX_LABELS = 10_000

function refuseTooMany(rows: readonly DeliveryRow[], field: string): void {
  const labels = rows.reduce((sum, row) => sum + countUnits(toDelivery(row)), 0)
  if (rows.length === 1 || labels <= MAX_LABELS) return
  const message = `These deliveries have ${labels} labels; one document has at most ${MAX_LABELS}. Ask for fewer deliveries at once.`
  const issues = [{ field, issue: 'too_many' as const, message }]
  throw new Refusal('invalid_request', message, { issues })
}

function countUnits({ content }: Pick<Delivery, 'content'>): number {
  return content.parcels.reduce((units, { quantity }) => units + quantity, 0)
}

/** Labels that form one document: a carrier's labels of one booking, or ours of consecutive deliveries. */
type LabelRun = { maker: Awaited<ReturnType<typeof labelMaker>>; rows: [DeliveryRow, ...DeliveryRow[]] }

async function labelRuns(deps: Deps, rows: readonly DeliveryRow[], format: LabelFormat): Promise<LabelRun[]> {
  const runs: LabelRun[] = []
  for (const row of rows) {
    const maker = await labelMaker(deps, row, format)
    const last = runs.at(-1)
    if (maker === null && last?.maker === null) last.rows.push(row)
    else runs.push({ maker, rows: [row] })
  }
  return runs
}

async function ourLabels(deps: Deps, rows: readonly DeliveryRow[], format: LabelFormat): Promise<Buffer> {
  const labels: Label[] = []
  const turn = turnsOf()
  for (const row of rows) {
    labels.push(await labelFor(deps, toDelivery(row)))
    await turn()
  }
  return format === 'pdf' ? labelPdf(labels) : labelZpl(labels)
}

async function labelFor(deps: Deps, delivery: Delivery): Promise<Label> {
  const account = await deps.accounts.atVersion(delivery.accountId, delivery.accountVersion)
  return toLabel(account, delivery)
}

/** The fields of a delivery that its labels show. */
export type Labelled = Pick<
  Delivery,
  | 'id'
  | 'storeId'
  | 'reference'
  | 'content'
  | 'deliveryType'
  | 'window'
  | 'readyForPickupAtMs'
  | 'consignmentNumber'
  | 'articles'
  | 'createdAtMs'
  | 'bookedAtMs'
> & { chosen: Pick<ChosenOption, 'carrierName' | 'service' | 'carrierCode' | 'pickupMs'> | null }

/** The label of a booked delivery, in the direction that the parcels travel. */
export function toLabel(account: Account, delivery: Labelled): Label {
  const { content, window } = delivery
  const store = account.storeById.get(delivery.storeId)
  const chosen = delivery.chosen ?? ownService(delivery)
  if (!store || !chosen || !window)
    throw new Error(`Delivery ${delivery.id} is not booked under version ${account.version}.`)
  const ends = { store: storeParty(store), door: doorParty(delivery) }
  const reverse = content.deliveryMode === 'customer_pickup'
  const { idCheckRequired, ...terms } = handoverTerms(content)
  return {
    ...terms,
    idCheckRequired,
    carrierName: chosen.carrierName,
    serviceName: chosen.service,
    serviceCode: chosen.carrierCode,
    deliveryType: delivery.deliveryType,
    consignmentNumber: delivery.consignmentNumber ?? '',
    deliveryId: delivery.id,
    reference: delivery.reference,
    sandbox: account.mode === 'sandbox',
    mode: content.deliveryMode,
    from: reverse ? ends.door : ends.store,
    to: reverse ? ends.store : ends.door,
    specialInstructions: content.specialInstructions,
    pickupInstructions: content.pickupInstructions,
    despatchDate: formatDate(localDay(store.zone, chosen.pickupMs)),
    window: { ...window, zone: windowZoneOfDelivery(content, store), reader: store.zone.name },
    articles: toArticles(account, delivery, reverse ? store.address.postCode : content.address.postCode),
  }
}

/** The label text for a delivery by the store's own courier; null for a carrier's delivery. */
function ownService({ content, readyForPickupAtMs }: Labelled) {
  if (!content.staffCourier) return null
  return {
    carrierName: 'Own courier',
    service: 'Staff courier',
    carrierCode: 'OWN',
    pickupMs: readyForPickupAtMs,
  }
}

function toArticles(account: Account, delivery: Labelled, postCode: string): LabelArticle[] {
  const total = countUnits(delivery)
  let number = 0
  const descriptions = delivery.content.parcels.map(({ description }) => description)
  return toJobParcels(account, delivery.content).flatMap((parcel, row) => {
    const goods = parcel.dangerousGoods
    const ids =
      delivery.articles.find(({ parcelReference }) => parcelReference === parcel.reference)?.articleIds ?? []
    return ids.map((articleId): LabelArticle => {
      number += 1
      return {
        articleId,
        number,
        of: total,
        parcelReference: parcel.reference,
        description: descriptions[row] ?? null,
        weightKg: parcel.weightKg,
        lengthCm: parcel.lengthCm,
        widthCm: parcel.widthCm,
        heightCm: parcel.heightCm,
        barcodes: delivery.content.staffCourier
          ? deliveryBarcodes(delivery.id)
          : articleBarcodes({
              articleId,
              postCode,
              madeAtMs: delivery.bookedAtMs ?? delivery.createdAtMs,
            }),
        dangerousGoods: goods && {
          unNumber: goods.unNumber,
          properShippingName: goods.technicalName,
          classDivision: goods.classDivision,
          packingGroup: goods.packingGroup,
        },
      }
    })
  })
}

function storeParty({ name, brand, phone, address }: Store): Party {
  return {
    name,
    company: brand.name,
    phone,
    lines: [address.address, address.address2].filter((line) => line !== null),
    suburb: address.city,
    state: address.state,
    postCode: address.postCode,
    country: address.country,
  }
}

function doorParty({ content: { address, customer, destination } }: Labelled): Party {
  return {
    name: address.name ?? `${customer.firstName} ${customer.lastName}`,
    company: address.companyName,
    phone: customer.phone,
    lines: [address.address2, address.address].filter((line) => line !== null),
    suburb: address.city,
    state: destination.state,
    postCode: address.postCode,
    country: address.country,
  }
}
