import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, client, tokenFor } from './client.ts'
import { say, step } from './print.ts'

/** The shared context of the chapters. */
export type TourContext = {
  base: string
  operator: Client
  /** The shop's system: paths are relative to the demo account. */
  shop: Client
  /** When the tour begins, epoch milliseconds: a Tuesday, ten in Melbourne. */
  startMs: number
  /** The first delivery, which the last chapter follows until it is delivered. */
  order: string
  /** The folder for labels and other documents. */
  papers: string
  /** Moves the demo account's clock; null resets it. */
  setClock(nowMs: number | null): Promise<void>
  /** Waits for a condition, and returns the delivery. */
  until(reference: string, status: string): Promise<Delivery>
  /** Saves a signed document in the folder and prints its path. */
  keep(name: string, url: string | undefined): Promise<void>
}

export type Windowed = { from_datetime: string; to_datetime: string }
export type Delivery = Windowed & {
  id: string
  status: string
  status_reason?: string
  delivery_mode?: string
  consignment_number?: string
  carrier_provider?: string
  service_code?: string
  label_url?: string
  dangerous_goods_form_url?: string
  service_quote?: { price_cents: number }
}
export type Data<T> = { data: T }

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

  step('Get a token', 'POST /demo/auth/token')
  const shop = client(`${base}/demo`, await tokenFor(base, 'demo', 'demo-client', 'demo-secret'))
  say('It is valid for an hour.')

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
        const { data } = await shop.get<Data<Delivery>>(`/deliveries/${reference}`)
        if (data.status === status) return data
        if (Date.now() > endMs)
          throw new Error(`The delivery stays ${data.status}: ${data.status_reason ?? 'no reason given'}`)
        await sleep(250)
      }
    },
    async keep(name, url) {
      if (!url) throw new Error(`The delivery has no ${name}.`)
      const file = join(papers, name)
      writeFileSync(file, await shop.bytes(url))
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
