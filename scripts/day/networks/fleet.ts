import type { FakeEntry } from '../../../test/fake-process.ts'
import { type CleanUps, owned } from '../../../test/harness/clean-ups.ts'
import {
  ledgersReader,
  NETWORKS,
  type NetworkName,
  type Networks,
  registerWebhooks,
  startNetworks,
} from '../../../test/harness/networks.ts'
import { type Mail, type MailFate, startMailServer } from '../../../test/mail-server.ts'
import { CONTRACTS, contractAtFake } from './contracts.ts'

/** The faults of each carrier during the day: one in this many of its requests. */
const FAULTS: Readonly<Record<NetworkName, readonly string[]>> = {
  auspost: [
    'create_shipments=lost**/17',
    'create_shipments=status:500**/29',
    'create_shipments=garbled**/37',
    'create_shipments=slow:1500**/41',
    'order_shipments=lost**/4',
    'order_shipments=status:503**/7',
    'order_shipments=garbled**/9',
    'delete_shipment=lost**/5',
    'get_shipments=cut**/11',
    'create_labels=garbled**/23',
    'track=slow:2500**/7',
    'track=status:429**/13',
    'track=garbled**/19',
    'track=lost**/23',
  ],
  uber_direct: [
    'create_quote=slow:700**/19',
    'create_quote=status:429**/29',
    'create_delivery=lost**/13',
    'create_delivery=status:500**/23',
    'create_delivery=garbled**/31',
    'create_delivery=slow_answer:1500**/37',
    'cancel_delivery=lost**/3',
    'get_delivery=cut**/17',
  ],
  doordash: [
    'create_delivery=lost**/13',
    'create_delivery=status:503**/23',
    'create_delivery=garbled**/31',
    'create_delivery=slow:1500**/37',
    'cancel_delivery=lost**/3',
    'get_delivery=status:429**/17',
  ],
}
/** Every n-th webhook: 4 % are lost, 9 % are duplicates, 6 % arrive after the next one. */
const WEBHOOK_TROUBLES = { lost_every: 23, repeated_every: 11, overtaken_every: 17 }
/** One in every n mails; the others are accepted. */
const MAIL_TROUBLES: readonly (readonly [every: number, fate: MailFate])[] = [
  [13, 'keep-and-hang-up'],
  [19, 'later'],
  [29, 'lose'],
]

export type Ledgers = Readonly<Record<NetworkName, readonly FakeEntry[]>> & {
  /** As the mail server stored them, in order. */
  mails: readonly Mail[]
}

/** The external carriers: three networks in their own processes, and a mail server for a courier. */
export type Fleet = {
  networks: Networks
  smtpUrl: string
  /** Where their webhooks go. */
  report(base: string, accountId: string): Promise<void>
  /** The fakes' clocks run. This moves them forward, and resolves once the resulting webhooks have been answered. */
  forward(nowMs: number): Promise<void>
  ledgers(): Promise<Ledgers>
}

export async function startFleet(cleanUps: CleanUps, fromMs: number): Promise<Fleet> {
  const from = ['--from', new Date(fromMs).toISOString()]
  const networks = await startNetworks(cleanUps, (name) => [...from, '--faults', FAULTS[name].join(',')])
  for (const contract of CONTRACTS)
    await networks.auspost.control('POST', '/accounts', contractAtFake(contract))
  const mail = owned(cleanUps, await startMailServer(mailTroubles()))
  const read = ledgersReader(networks)
  return {
    networks,
    smtpUrl: mail.url,
    async report(base, accountId) {
      for (const name of ['uber_direct', 'doordash'] as const) {
        await registerWebhooks(networks, name, base, accountId)
        await networks[name].control('POST', '/webhook-troubles', WEBHOOK_TROUBLES)
      }
    },
    async forward(nowMs) {
      const to = new Date(nowMs).toISOString()
      await Promise.all(NETWORKS.map((name) => networks[name].control('POST', '/advance', { to })))
    },
    ledgers: async () => ({ ...(await read()), mails: mail.mails }),
  }
}

function mailTroubles(): () => MailFate {
  let count = 0
  return () => {
    count += 1
    return MAIL_TROUBLES.find(([every]) => count % every === 0)?.[1] ?? 'take'
  }
}
