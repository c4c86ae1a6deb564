import {
  type DeclaredGoods,
  dangerousGoodsDeclarationPdf,
  type GoodsDeclaration,
} from '../../documents/dangerous-goods-declaration.ts'
import type { Account, GoodsParticulars } from '../../domain/account/account.ts'
import { formatDate, localDay } from '../../domain/calendar/zone.ts'
import type { DangerousGoods } from '../../domain/dangerous-goods/dangerous-goods.ts'
import type { Delivery } from '../../domain/delivery/delivery.ts'
import { can } from '../../domain/delivery/status.ts'
import { Refusal } from '../../domain/errors.ts'
import { findBookingDocument, storeBookingDocument } from '../../store/carriers/carrier-documents.ts'
import { type DeliveryName, getDelivery } from '../delivery-lookup/get-delivery.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import type { Caller } from '../directory/caller.ts'
import { toJobParcels } from '../quoting/to-job.ts'
import { toLabel } from './delivery-label.ts'

/** Whether the carrier makes a declaration for this delivery, so that it has a URL. */
export function hasDeclaration(deps: Deps, entry: AccountEntry, delivery: Delivery): boolean {
  return isConsigned(delivery) && declares(deps, entry, delivery)
}

/**
 * The dangerous goods declaration of a delivery as PDF. Refuses `no_declaration` if there are no dangerous goods or the
 * carrier makes no declaration, and `declaration_not_available` before it is booked.
 */
export async function deliveryDeclaration(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  name: DeliveryName,
): Promise<Buffer> {
  const delivery = await getDelivery(deps, entry, caller, name)
  if (!isDangerous(delivery)) {
    throw new Refusal('no_declaration', `Delivery ${delivery.reference} contains no dangerous goods.`)
  }
  if (!isConsigned(delivery)) {
    throw new Refusal(
      'declaration_not_available',
      `A declaration exists once a carrier has confirmed the booking: ${delivery.reference} is ${delivery.status}.`,
    )
  }
  if (!declares(deps, entry, delivery)) {
    const carrier = delivery.chosen?.carrierName ?? 'The carrier'
    throw new Refusal(
      'no_declaration',
      `${carrier} provides no declaration for delivery ${delivery.reference}.`,
    )
  }
  return storedDeclaration(deps, delivery)
}

/**
 * Drawn at its first reading and stored: the paper that a driver was handed stays the same after an upgrade. Another
 * booking has its own.
 */
async function storedDeclaration(deps: Deps, delivery: Delivery): Promise<Buffer> {
  const { accountId, id: deliveryId, consignmentNumber } = delivery
  const place = { accountId, deliveryId, format: 'declaration' as const, ref: consignmentNumber ?? '' }
  const kept = await findBookingDocument(deps.db, place)
  if (kept) return kept
  const account = await deps.accounts.atVersion(accountId, delivery.accountVersion)
  const drawn = await dangerousGoodsDeclarationPdf(toDeclaration(account, delivery))
  await storeBookingDocument(deps.db, place, drawn)
  return (await findBookingDocument(deps.db, place)) ?? drawn
}

function isConsigned(delivery: Delivery): boolean {
  return can('label', delivery) && delivery.consignmentNumber !== null
}

function isDangerous({ content }: Delivery): boolean {
  return content.parcels.some(({ dangerousGoods }) => dangerousGoods !== null)
}

function declares({ carrierOf }: Deps, entry: AccountEntry, delivery: Delivery): boolean {
  if (!isDangerous(delivery) || !delivery.chosen) return false
  return carrierOf(entry, delivery.chosen.provider)?.declares === true
}

/** Each parcel row is a separate entry, because a carrier takes one UN number with each. */
function toDeclaration(account: Account, delivery: Delivery): GoodsDeclaration {
  const label = toLabel(account, delivery)
  const goods = toJobParcels(account, delivery.content).flatMap((parcel): DeclaredGoods[] => {
    const declared = parcel.dangerousGoods
    if (!declared) return []
    const { netWeightKg } = declared
    return [
      {
        parcelReference: parcel.reference,
        unNumber: declared.unNumber,
        properShippingName: declared.technicalName,
        classDivision: declared.classDivision,
        subsidiaryRisk: declared.subsidiaryRisk,
        packingGroup: declared.packingGroup,
        packages: declared.outerPackagingQuantity ?? parcel.quantity,
        packaging: declared.outerPackagingType,
        quantity:
          netWeightKg === null
            ? { kg: parcel.weightKg * parcel.quantity, of: 'gross' }
            : { kg: netWeightKg * parcel.quantity, of: 'net' },
        declaration: declared.declaration,
        particulars: toParticulars(account, declared),
      },
    ]
  })
  const store = account.storeById.get(delivery.storeId)
  const signedMs = delivery.bookedAtMs ?? delivery.createdAtMs
  return {
    carrierName: label.carrierName,
    serviceCode: label.serviceCode,
    byAir: toJobParcels(account, delivery.content).every(
      ({ dangerousGoods }) => dangerousGoods?.transportableByAir ?? true,
    ),
    consignmentNumber: label.consignmentNumber,
    reference: delivery.reference,
    sandbox: label.sandbox,
    date: formatDate(localDay(store?.zone ?? account.zone, signedMs)),
    consignor: label.from,
    consignee: label.to,
    goods,
  }
}

/** The particulars of the account's definition, for its own UN number only: for another number they are unknown. */
function toParticulars(account: Account, { definition, unNumber }: DangerousGoods): GoodsParticulars | null {
  const defined = account.dangerousGoods.get(definition)
  return defined && defined.unNumber === unNumber ? defined.particulars : null
}
