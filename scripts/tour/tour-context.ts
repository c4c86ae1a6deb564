import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Delivery, Drover } from '../../clients/typescript/src/index.ts'
import { type Client, client, getDocument } from './client.ts'
import { say, step } from './print.ts'

/** The shared context of the chapters. */
export type TourContext = {
  base: string
  operator: Client
  /** The shop's system: `@drover/client` with the token of the demo account's API client. */
  shop: Drover
  /** When the tour begins, epoch milliseconds: a Tuesday, ten in Melbourne. */
  startMs: number
  /** The first delivery, which the last chapter follows until it is delivered. */
  order: string
  /** The folder for labels and other documents. */
  papers: string
  /** Moves the demo account's clock; null resets it. */
  setClock(nowMs: number | null): Promise<void>
  /** Waits for a condition, and returns the delivery. */
  until(reference: string, status: Delivery['status']): Promise<Delivery>
  /** Saves a signed document in the folder and prints its path. */
  keep(name: string, url: string | undefined): Promise<void>
}

/** Long enough for the slowest carrier of the sandbox and its changes. */
const PATIENCE_MS = 60_000

/** Logs in to a running service with the demo accounts, and sets their clock. */
export async function openTourContext(base: string, operatorToken: string): Promise<TourContext> {
  const operator = client(base, operatorToken)
  const setClock = async (nowMs: number | null): Promise<void> => {
    const now = nowMs === null ? null : new Date(nowMs).toISOString()
    await operator.put('/admin/accounts/demo/clock', { now })
  }
  step('Set the demo account’s clock to a Tuesday morning', 'PUT /admin/accounts/demo/clock')
  const startMs = nextTuesdayTen(Date.now())
  await setClock(startMs)
  say(`It is now ${new Date(startMs).toISOString()}, 10:00 in Melbourne, for this account only.`)

  step('Connect the shop’s system', '@drover/client, with the id and the secret of an API client')
  const shop = new Drover({
    baseUrl: base,
    account: 'demo',
    clientId: 'demo-client',
    clientSecret: 'demo-secret',
  })
  say('It gets a token with its first request: POST /demo/auth/token. The token is valid for an hour.')

  const papers = mkdtempSync(join(tmpdir(), 'drover-tour-'))
  return {
    base,
    operator,
    shop,
    startMs,
    order: `tour-${Date.now().toString(36)}`,
    papers,
    setClock,
    async until(reference, status) {
      const endMs = Date.now() + PATIENCE_MS
      for (;;) {
        const delivery = await shop.deliveries.get(reference)
        if (delivery.status === status) return delivery
        if (Date.now() > endMs)
          throw new Error(
            `The delivery stays ${delivery.status}: ${delivery.status_reason ?? 'no reason given'}`,
          )
        await sleep(250)
      }
    },
    async keep(name, url) {
      if (!url) throw new Error(`The delivery has no ${name}.`)
      const file = join(papers, name)
      writeFileSync(file, await getDocument(url))
      say(file)
    },
  }
}

/** The next Tuesday, about 10:00 in Melbourne (daylight saving aside): shops are open, cut-offs are ahead. */
function nextTuesdayTen(nowMs: number): number {
  const day = new Date(nowMs)
  const daysAhead = (2 - day.getUTCDay() + 7) % 7 || 7
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate() + daysAhead - 1, 23)
}
