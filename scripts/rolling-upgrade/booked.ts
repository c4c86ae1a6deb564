import { setTimeout as sleep } from 'node:timers/promises'
import { tokenFrom } from './load.ts'

const BOOKED_WITHIN_MS = 60_000
const WAITING = ['created', 'requested', 'on_hold']

/** Half an hour before orders of `READY_AT` are ready, so that their booking is due at once and a worker does it. */
export async function setDemoClock(url: string): Promise<void> {
  const { ok, status } = await fetch(`${url}/admin/accounts/demo/clock`, {
    method: 'PUT',
    headers: { authorization: 'Bearer demo-operator', 'content-type': 'application/json' },
    body: JSON.stringify({ now: '2026-11-24T13:30:00+11:00' }),
  })
  if (!ok) throw new Error(`The clock was not set: ${status}.`)
}

export type Wanted = { reference: string; id?: string }

/** Acknowledged deliveries that are missing under their id, or are not booked in time: one sentence each. */
export async function notBooked(url: string, wanted: readonly Wanted[]): Promise<string[]> {
  const headers = { authorization: `Bearer ${await tokenFrom(url)}` }
  const endsAtMs = Date.now() + BOOKED_WITHIN_MS
  let left = [...wanted]
  let message: string[] = []
  while (left.length > 0 && Date.now() < endsAtMs) {
    message = []
    const still: Wanted[] = []
    for (const { reference, id } of left) {
      const answer = await fetch(`${url}/demo/deliveries/${reference}`, { headers })
      const { data } = (await answer.json()) as { data?: { id: string; status: string } }
      if (data && !WAITING.includes(data.status) && (id ?? data.id) === data.id) continue
      still.push({ reference, ...(id === undefined ? {} : { id }) })
      message.push(`${reference}: ${data?.status ?? answer.status}`)
    }
    left = still
    if (left.length > 0) await sleep(1_000)
  }
  return message
}
