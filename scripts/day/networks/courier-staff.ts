import { type Ask, good, inFlight } from '../../../test/harness/http.ts'
import { COURIER } from './account.ts'
import { type CourierMail, readCourierMails } from './courier-mails.ts'
import type { Fleet } from './fleet.ts'
import type { Journey } from './kinds.ts'

/** The statuses that the courier's staff report for a consignment, one per round. */
const MESSAGES: Partial<Record<Journey, readonly string[]>> = {
  attempted: ['collected', 'attempted', 'delivered'],
  coming_back: ['collected', 'coming_back', 'returned'],
}
const USUAL = ['collected', 'out_for_delivery', 'delivered']
const IN_FLIGHT = 8

type Consignment = { number: string; reference: string; link: string; reportCount: number }
type StaffReport = Consignment & { carrierStatus: string }

/** Who reports it: the courier by its list, its staff by the link in the mail, or our clerk. */
const CHANNELS = ['list', 'link', 'clerk'] as const

/**
 * The staff of an email-only courier: they collect the consignments on its manifests and report progress.
 * Each call moves every consignment one step. Throws when a report is rejected.
 */
export function courierStaff(
  fleet: Pick<Fleet, 'ledgers'>,
  ask: Ask,
  journeyOf: ReadonlyMap<string, Journey>,
): () => Promise<void> {
  const known = new Map<string, Consignment>()
  const manifested = new Set<string>()
  let read = 0
  return async () => {
    const { mails } = await fleet.ledgers()
    for (const mail of readCourierMails(mails.slice(read))) note(mail)
    read = mails.length
    const reports = [...known.values()].flatMap((one) => {
      const carrierStatus = manifested.has(one.number) ? statusesOf(one)[one.reportCount] : undefined
      if (carrierStatus === undefined) return []
      one.reportCount += 1
      return { ...one, carrierStatus }
    })
    const by = Map.groupBy(reports, ({ reference }) => CHANNELS[Number(/\d+/.exec(reference)?.[0] ?? 0) % 3])
    await reportByList(ask, by.get('list') ?? [])
    await inFlight(by.get('link') ?? [], IN_FLIGHT, reportByLink)
    await inFlight(by.get('clerk') ?? [], IN_FLIGHT, (report) => reportByClerk(ask, report))
  }

  function note(mail: CourierMail): void {
    if (mail.what === 'booking' && !known.has(mail.number))
      known.set(mail.number, { ...mail, reportCount: 0 })
    if (mail.what === 'called_off') known.delete(mail.number)
    if (mail.what === 'manifest') for (const { number } of mail.rows) manifested.add(number)
  }

  function statusesOf({ reference }: Consignment): readonly string[] {
    return MESSAGES[journeyOf.get(reference) ?? 'delivered'] ?? USUAL
  }
}

async function reportByList(ask: Ask, reports: readonly StaffReport[]): Promise<void> {
  if (reports.length === 0) return
  const lines = reports.map(({ number, carrierStatus }) => `${number},${carrierStatus}`)
  // Real people send lists with a duplicate row.
  const csv = ['consignment_number,status', ...lines, lines[0]].join('\n')
  const headers = { 'content-type': 'text/csv' }
  const data = await good(
    ask(`POST /carriers/${COURIER}/statuses`, { body: csv, headers }),
    'The courier’s list',
  )
  if (data.errors.length > 0)
    throw new Error(`The courier’s list was rejected: ${JSON.stringify(data.errors[0])}`)
}

async function reportByLink({ link, carrierStatus }: StaffReport): Promise<void> {
  const answer = await fetch(link, {
    method: 'POST',
    body: new URLSearchParams({ status: carrierStatus }),
    redirect: 'manual',
  })
  if (answer.status !== 303) throw new Error(`${link} answered ${answer.status}: ${await answer.text()}`)
}

async function reportByClerk(ask: Ask, { reference, carrierStatus }: StaffReport): Promise<void> {
  const body = { status: carrierStatus }
  await good(ask(`POST /deliveries/${reference}/carrier-status`, { body }), `${reference} ${carrierStatus}`)
}
