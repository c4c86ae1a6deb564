import { Refusal } from '../../domain/errors.ts'
import type { IntakeLimits } from '../contract/intake-limits.ts'

/** One address gets at most this share of the whole budget: two couriers' photos at once, or 1,000 small bodies. */
const SHARE_OF_ADDRESS = 1 / 4
/** How often the budget checks for late bodies. */
const SWEEP_MS = 1_000

/** The bytes of one body, reserved from when it begins to arrive until they are released. */
export type BodyLease = {
  /** Reserves this many more bytes. Throws `service_unavailable` if the budget is exhausted. */
  take(bytes: number): void
  /** The body has arrived: it no longer has a deadline, and its address may send another. */
  arrived(): void
  /** Releases all of its bytes; a second call does nothing. */
  release(): void
}

export type BodyBudget = {
  /**
   * Begins a body that must arrive within `ms`; otherwise `onLate` is called once. Throws `service_unavailable` if too
   * many bodies of the address are already arriving.
   */
  begin(address: string, ms: number, onLate: () => void): BodyLease
  /** For metrics and tests. */
  bytesHeld(): number
}

type Held = { bytes: number; arriving: number }
type Arriving = { dueMs: number; onLate: () => void }

/** Load shedding: bounds the memory of request bodies in one process, over all connections and for each address. */
export function makeBodyBudget({ bodyBytes, perAddress }: IntakeLimits): BodyBudget {
  const share = Math.ceil(bodyBytes * SHARE_OF_ADDRESS)
  const byAddress = new Map<string, Held>()
  const arriving = new Set<Arriving>()
  let bytesHeld = 0
  let sweeper: NodeJS.Timeout | null = null

  const sweep = (): void => {
    const nowMs = performance.now()
    for (const body of arriving) {
      if (body.dueMs > nowMs) continue
      arriving.delete(body)
      body.onLate()
    }
    if (arriving.size > 0 || !sweeper) return
    clearInterval(sweeper)
    sweeper = null
  }

  return {
    bytesHeld: () => bytesHeld,
    begin(address, ms, onLate) {
      const held = byAddress.get(address) ?? { bytes: 0, arriving: 0 }
      if (held.arriving >= perAddress) throw tooManyBodies()
      held.arriving += 1
      byAddress.set(address, held)
      const body = { dueMs: performance.now() + ms, onLate }
      arriving.add(body)
      sweeper ??= setInterval(sweep, Math.min(SWEEP_MS, ms)).unref()
      return makeLease(address, held, body)
    },
  }

  function makeLease(address: string, held: Held, body: Arriving): BodyLease {
    let bytes = 0
    let isArriving = true
    return {
      take(more) {
        if (bytesHeld + more > bodyBytes || held.bytes + more > share) throw tooManyBytes()
        bytes += more
        held.bytes += more
        bytesHeld += more
      },
      arrived() {
        if (!isArriving) return
        isArriving = false
        held.arriving -= 1
        arriving.delete(body)
      },
      release() {
        this.arrived()
        held.bytes -= bytes
        bytesHeld -= bytes
        bytes = 0
        // An address is tracked only while it holds bytes or has a body arriving.
        if (held.arriving === 0 && held.bytes === 0 && byAddress.get(address) === held)
          byAddress.delete(address)
      },
    }
  }
}

function tooManyBytes(): Refusal {
  return unavailable('This process has no memory left for more request bodies. Nothing was done. Try again.')
}

function tooManyBodies(): Refusal {
  return unavailable('This address is sending too many request bodies at once. Nothing was done. Try again.')
}

function unavailable(detail: string): Refusal {
  return new Refusal('service_unavailable', detail, { details: { retry_after_seconds: 1 } })
}
