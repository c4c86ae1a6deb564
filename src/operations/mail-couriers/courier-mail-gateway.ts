import { generatedArticleIds } from '../../carriers/kit/generated-article-ids.ts'
import type { CourierMailPort } from '../../carriers/port/adapter.ts'
import type { Booking, Consignment, Lodged, ManifestOrder, Outcome } from '../../carriers/port/carrier.ts'
import type { Account, CarrierAccount } from '../../domain/account/account.ts'
import { listDeliveriesByConsignment } from '../../store/deliveries/deliveries.ts'
import type { DeliveryRow } from '../../store/deliveries/delivery-rows.ts'
import { listOrphans } from '../../store/deliveries/orphaned-bookings.ts'
import { listManifestLines } from '../../store/manifests/manifest-lines.ts'
import { findManifest } from '../../store/manifests/manifests.ts'
import type { Deps } from '../deps.ts'
import { manifestCsv, manifestPdf } from '../manifests/order-summary.ts'
import { courierAddress } from '../tokens/courier-link.ts'
import { type Post, postToCourier } from './courier-mail.ts'
import { courierNotePdf, courierNotesCsv, readyWords } from './courier-note.ts'

/**
 * Sends one account's work to one courier without an API: by mail, with a note as PDF and a CSV. Without an
 * email address the courier collects the work on the pickup page (`courier-pickup.ts`), and a booking
 * succeeds at once.
 */
export function courierMailGateway(
  depsOf: () => Deps,
  { id: accountId, mode }: Pick<Account, 'id' | 'mode'>,
  carrier: CarrierAccount,
): CourierMailPort {
  const send = (post: Omit<Post, 'accountId' | 'sandbox'>) =>
    postToCourier(depsOf(), { ...post, accountId, sandbox: mode === 'sandbox' })

  return {
    async book(email, consignment) {
      const deps = depsOf()
      const entry = await deps.accounts.find(accountId)
      const store = entry?.account.storeByReference.get(consignment.storeReference)
      const zone = store?.zone ?? entry?.account.zone
      if (!entry || !zone) return { kind: 'no', retry: 'later', message: 'its account is not known here' }
      const booking = toBooking(consignment)
      if (email === null) return { kind: 'yes', value: booking }
      const facts = { consignment, booking, carrierName: carrier.name, sandbox: mode === 'sandbox', zone }
      const { consignmentNumber } = booking
      const { from, to } = consignment
      const link = courierAddress(deps, { accountId, key: consignment.key }, consignment.window.toMs)
      const outcome = await send({
        id: consignment.key,
        to: email,
        storeId: store?.id ?? null,
        deliveryId: consignment.deliveryId,
        from: from.company ?? from.name,
        subject: `Booking ${consignmentNumber}: ${from.city} to ${to.city} ${to.postCode}`,
        body: [
          `Please collect ${consignmentNumber} (our order ${consignment.reference}) at ${from.name}, ${from.address}, ${from.city}, from ${readyWords(facts)} on.`,
          'The paper and a CSV are attached. Tell us when it is collected, delivered or in trouble, here:',
          link,
          `If you receive this email twice, it is the same booking: ${consignmentNumber}.`,
        ].join('\n\n'),
        attachments: [
          {
            name: `${consignmentNumber}.pdf`,
            mediaType: 'application/pdf',
            bytes: await courierNotePdf(facts),
          },
          {
            name: `${consignmentNumber}.csv`,
            mediaType: 'text/csv',
            bytes: Buffer.from(courierNotesCsv([facts])),
          },
        ],
      })
      return outcome.kind === 'yes' ? { kind: 'yes', value: booking } : outcome
    },

    async submit(email, order): Promise<Outcome<Lodged>> {
      const deps = depsOf()
      const row = await findManifest(deps.db, accountId, order.key)
      if (!row) return { kind: 'no', retry: 'nobody', message: `there is no manifest ${order.key}` }
      const orderId = toOrderId(order)
      const lines = await listManifestLines(deps.db, accountId, row.id)
      const costCents = lines.reduce((sum, line) => sum + (line.costCents ?? 0), 0)
      const lodged: Outcome<Lodged> = { kind: 'yes', value: { orderId, costCents, articles: new Map() } }
      if (email === null) return lodged
      const manifest = { ...row, orderId, submittedAtMs: row.submittedAtMs ?? row.updatedAtMs }
      const [paper, csv] = await Promise.all([manifestPdf(deps, manifest), manifestCsv(deps, manifest)])
      const outcome = await send({
        id: order.key,
        to: email,
        storeId: row.storeId,
        deliveryId: null,
        from:
          (await deps.accounts.find(accountId))?.account.storeById.get(row.storeId)?.brand.name ?? accountId,
        subject: `Manifest ${orderId}: ${order.refs.length} consignments`,
        body: [
          `Manifest ${orderId} has ${order.refs.length} consignments, to be collected together. The paper and a CSV are attached.`,
          `If you receive this email twice, it is the same manifest: ${orderId}.`,
        ].join('\n\n'),
        attachments: [
          { name: `${orderId}.pdf`, mediaType: 'application/pdf', bytes: paper },
          { name: `${orderId}.csv`, mediaType: 'text/csv', bytes: Buffer.from(csv) },
        ],
      })
      return outcome.kind === 'yes' ? lodged : outcome
    },

    async callOff(email, consignmentNumber) {
      // If the lookup fails, the mail is sent all the same.
      const delivery = await bookedFor(depsOf(), accountId, carrier.provider, consignmentNumber).catch(
        () => null,
      )
      return send({
        id: `${consignmentNumber}-called-off`,
        to: email,
        storeId: delivery?.store_id ?? null,
        deliveryId: delivery?.delivery_id ?? null,
        from: carrier.name,
        subject: `Called off: ${consignmentNumber}`,
        body: `Please do not collect ${consignmentNumber}: it has been cancelled.`,
        attachments: [],
      })
    },
  }
}

/** The delivery of the consignment number, also if the booking has been orphaned since. */
async function bookedFor(
  { db, findDelivery }: Deps,
  accountId: string,
  provider: string,
  consignmentNumber: string,
): Promise<DeliveryRow | null> {
  const [standing] = await listDeliveriesByConsignment(db, accountId, provider, [consignmentNumber])
  const found = standing ?? (await listOrphans(db, accountId, provider, [consignmentNumber]))[0]
  return found ? findDelivery({ accountId, deliveryId: found.deliveryId }) : null
}

/** The number is derived from our key, so a retry makes the same booking. */
function toBooking({ key, parcels, ratedCents }: Consignment): Booking {
  const articles = generatedArticleIds('LC', { deliveryId: key, parcels })
  const [first = ''] = articles.flatMap(({ articleIds }) => articleIds)
  return { consignmentNumber: first.slice(0, -3), articles, costCents: ratedCents }
}

function toOrderId({ key }: ManifestOrder): string {
  return `LCM${key.slice(-12).toUpperCase()}`
}
