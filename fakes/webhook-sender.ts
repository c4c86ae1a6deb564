import type { FakeServer } from './fake.ts'
import type { Schedule } from './schedule.ts'

/** The target of webhooks, as its owner configured it at the carrier. */
export type WebhookTarget = {
  url: string
  /** Proof of the sender, created for each attempt. Throws when it cannot be created: the attempt has failed. */
  proof(body: string): Record<string, string> | Promise<Record<string, string>>
}

/** Delivery faults of a carrier's webhooks: each affects every n-th event. Null: never. */
export type WebhookTroubles = {
  /** Never sent. */
  lostEvery: number | null
  /** Sent once more although it was accepted. */
  repeatedEvery: number | null
  /** Sent after the event that follows it. */
  overtakenEvery: number | null
}

export type WebhookSender = {
  target: WebhookTarget | null
  troubles: WebhookTroubles
  /** `event` is its name in the ledger. Sent in order, one at a time; without a target it is dropped. */
  send(event: string, payload: unknown): void
  /** Resolves when all events sent so far have been answered or given up for now. */
  settled(): Promise<void>
}

type Rules = {
  accepted(status: number): boolean
  /** Waits between attempts, by the fake's clock. One more attempt than waits. */
  waitsMs: readonly number[]
}

type Event = { name: string; body: string }

const TIMEOUT_MS = 10_000

export function webhookSender(
  { clock, ledger }: FakeServer,
  schedule: Schedule,
  { accepted, waitsMs }: Rules,
): WebhookSender {
  let line: Promise<void> = Promise.resolve()
  let count = 0
  let held: Event[] = []
  const sender: WebhookSender = {
    target: null,
    troubles: { lostEvery: null, repeatedEvery: null, overtakenEvery: null },
    send(name, payload) {
      if (!sender.target) return
      count += 1
      const event = { name, body: JSON.stringify(payload) }
      const { lostEvery, repeatedEvery, overtakenEvery } = sender.troubles
      if (isDue(lostEvery)) return
      const due = isDue(repeatedEvery) ? [event, event] : [event]
      if (isDue(overtakenEvery)) {
        held.push(...due)
        return
      }
      for (const one of [...due, ...held]) enqueue(one, 0)
      held = []
    },
    async settled() {
      for (let seen: unknown = null; seen !== line; ) {
        seen = line
        await line
      }
    },
  }
  return sender

  function isDue(every: number | null): boolean {
    return every !== null && count % every === 0
  }

  function enqueue(event: Event, failed: number): void {
    line = line.then(async () => {
      if (!sender.target) return
      const status = await attempt(sender.target, event.body)
      ledger.write('webhook', { event: event.name, attempt: failed + 1, status })
      const waitMs = waitsMs[failed]
      if (waitMs === undefined || (status !== null && accepted(status))) return
      schedule.at(clock.nowMs() + waitMs, () => enqueue(event, failed + 1))
    })
  }

  /** The status of the response; null when there was no response. */
  async function attempt({ url, proof }: WebhookTarget, body: string): Promise<number | null> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(await proof(body)) },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      await response.arrayBuffer()
      return response.status
    } catch {
      return null
    }
  }
}
