import { type FakeEntry, type FakeProcess, startFakeProcess } from '../../../test/fake-process.ts'
import { ledgerReader } from '../../../test/harness/ledger.ts'
import { type Mail, type MailFate, startMailServer } from '../../../test/mail-server.ts'
import { DOORDASH_AUTHORIZATION, UBER_SIGNING_KEY } from './account.ts'
import { CONTRACTS, contractAtFake } from './contracts.ts'

/** The faults of each carrier during the day: one in this many of its requests. */
const FAULTS: Readonly<Record<'auspost' | 'uber-direct' | 'doordash', readonly string[]>> = {
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
  'uber-direct': [
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

export type Ledgers = {
  auspost: readonly FakeEntry[]
  uberDirect: readonly FakeEntry[]
  doordash: readonly FakeEntry[]
  /** As the mail server stored them, in order. */
  mails: readonly Mail[]
}

/** The external carriers: three networks in their own processes, and a mail server for a courier. */
export type Fleet = {
  urls: { auspost: string; uberDirect: string; doordash: string }
  smtpUrl: string
  /** Where their webhooks go. */
  report(base: string, accountId: string): Promise<void>
  /** The fakes' clocks run. This moves them forward, and resolves once the resulting webhooks have been answered. */
  forward(nowMs: number): Promise<void>
  auspost: FakeProcess
  uberDirect: FakeProcess
  doordash: FakeProcess
  ledgers(): Promise<Ledgers>
  stop(): Promise<void>
}

export async function startFleet(fromMs: number): Promise<Fleet> {
  const started: { stop(): Promise<void> }[] = []
  const stop = async (): Promise<void> => {
    for (const one of started.splice(0).reverse()) await one.stop()
  }
  try {
    const start = async (carrier: keyof typeof FAULTS): Promise<FakeProcess> => {
      const from = ['--from', new Date(fromMs).toISOString()]
      const fake = await startFakeProcess(carrier, [...from, '--faults', FAULTS[carrier].join(',')])
      started.push(fake)
      return fake
    }
    const auspost = await start('auspost')
    const uberDirect = await start('uber-direct')
    const doordash = await start('doordash')
    for (const contract of CONTRACTS) await auspost.control('POST', '/accounts', contractAtFake(contract))
    const mail = await startMailServer(mailTroubles())
    started.push(mail)
    const read = {
      auspost: ledgerReader(auspost),
      uberDirect: ledgerReader(uberDirect),
      doordash: ledgerReader(doordash),
    }
    return {
      urls: { auspost: auspost.url, uberDirect: uberDirect.url, doordash: doordash.url },
      smtpUrl: mail.url,
      auspost,
      uberDirect,
      doordash,
      async report(base, accountId) {
        await uberDirect.control('POST', '/webhooks', {
          url: `${base}/carriers/uber_direct/${accountId}/webhooks`,
          signing_key: UBER_SIGNING_KEY,
          kinds: ['event.delivery_status'],
        })
        await doordash.control('POST', '/webhooks', {
          url: `${base}/carriers/doordash/${accountId}/webhooks`,
          auth: { header: DOORDASH_AUTHORIZATION },
        })
        for (const one of [uberDirect, doordash])
          await one.control('POST', '/webhook-troubles', WEBHOOK_TROUBLES)
      },
      async forward(nowMs) {
        const to = new Date(nowMs).toISOString()
        await Promise.all(
          [auspost, uberDirect, doordash].map((one) => one.control('POST', '/advance', { to })),
        )
      },
      async ledgers() {
        return {
          auspost: await read.auspost(),
          uberDirect: await read.uberDirect(),
          doordash: await read.doordash(),
          mails: mail.mails,
        }
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

function mailTroubles(): () => MailFate {
  let count = 0
  return () => {
    count += 1
    return MAIL_TROUBLES.find(([every]) => count % every === 0)?.[1] ?? 'take'
  }
}
