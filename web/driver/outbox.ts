import { useSyncExternalStore } from 'react'
import { keep, kept, listWaiting, putWaiting, removeWaiting } from './phone-store.ts'
import { sendable, type Waiting } from './waiting.ts'

/** What became of the steps: those that wait, what was refused meanwhile, and whether the server can be reached. */
export type OutboxState = {
  waiting: readonly Waiting[]
  refused: readonly Refused[]
  reached: boolean
  loggedOut: boolean
  /** How many have gone out since it was last empty. */
  sent: number
}

type Refused = { id: string; about: string; verb: Waiting['verb']; said: string }

let state: OutboxState = { waiting: [], refused: [], reached: true, loggedOut: false, sent: 0 }
const listeners = new Set<() => void>()

function set(change: Partial<OutboxState>): void {
  state = { ...state, ...change }
  for (const listener of listeners) listener()
}

export function useOutbox(): OutboxState {
  return useSyncExternalStore(
    (changed) => {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
    () => state,
  )
}

/** So long a proof can be taken back. */
export const UNDO_MS = 10_000
const TRY_MS = 4_000

/** Keeps a step on the phone, then sends it, now or when there is signal again. */
export async function doStep(step: Omit<Waiting, 'id' | 'notBeforeMs'>, undoMs = 0): Promise<Waiting> {
  const now = Date.now()
  const random = crypto.randomUUID().replaceAll('-', '').slice(0, 16)
  const made: Waiting = {
    ...step,
    id: `p${now.toString(36).padStart(9, '0')}-${random}`,
    notBeforeMs: now + undoMs,
  }
  await putWaiting(made)
  set({ waiting: [...state.waiting, made] })
  if (undoMs > 0) setTimeout(send, undoMs + 50)
  else void send()
  return made
}

/** False: it is on its way already. */
export async function takeBack(id: string): Promise<boolean> {
  const found = state.waiting.find((one) => one.id === id)
  if (!found || found.notBeforeMs <= Date.now()) return false
  await removeWaiting(id)
  set({ waiting: state.waiting.filter((one) => one.id !== id) })
  return true
}

export async function dismissRefused(id: string): Promise<void> {
  await keepRefused(state.refused.filter((one) => one.id !== id))
}

/** On the phone until the driver has read it: he may close the app at the door, before the answer is there. */
async function keepRefused(refused: readonly Refused[]): Promise<void> {
  await keep('refused', refused)
  set({ refused })
}

export function loggedIn(): void {
  set({ loggedOut: false })
  void send()
}

/** Reads what the phone kept, and goes on sending whenever there may be signal. */
export async function startOutbox(onSent: () => Promise<void>): Promise<void> {
  settled = onSent
  set({ waiting: await listWaiting<Waiting>(), refused: (await kept<Refused[]>('refused')) ?? [] })
  for (const event of ['online', 'focus', 'visibilitychange']) addEventListener(event, () => void send())
  addEventListener('offline', () => set({ reached: false }))
  setInterval(send, TRY_MS)
  void send()
}

let settled: () => Promise<void> = async () => {}

/** One tab sends at a time; each step leaves the phone only when the server has answered it. */
async function send(): Promise<void> {
  if (state.loggedOut || (state.waiting.length === 0 && state.reached)) return
  await navigator.locks.request('drover-outbox', { ifAvailable: true }, async (lock) => {
    if (!lock) return
    for (const step of sendable(await listWaiting<Waiting>(), Date.now())) {
      const again = await sendOne(step)
      if (again) return
    }
    if (!state.reached && navigator.onLine) set({ reached: await reachable() })
  })
}

const TAKEN_AWAY = 'The store gave it to somebody else, or called it off, while you had no signal.'

/** True: nothing more can be sent for now. */
async function sendOne(step: Waiting): Promise<boolean> {
  const response = await post(`/driver/jobs/${encodeURIComponent(step.jobId)}/${step.verb}`, step.body)
  if (response === null || response.status >= 500 || response.status === 429) {
    set({ reached: response !== null && response.status === 429 })
    return true
  }
  if (response.status === 401) {
    set({ loggedOut: true, reached: true })
    return true
  }
  // Steps that the job is past already were not in vain.
  const inVain = !response.ok && !(response.status === 409 && step.verb !== 'deliver')
  if (inVain) {
    const { detail = '' } = (await response.json().catch(() => ({}))) as { detail?: string }
    const said = response.status === 404 ? TAKEN_AWAY : detail
    const others = state.refused.filter(({ id }) => id !== step.id)
    await keepRefused([...others, { id: step.id, about: step.about, verb: step.verb, said }])
  }
  await removeWaiting(step.id)
  set({ reached: true, sent: state.sent + 1 })
  // Until the list has been read anew the step stands for what it did, or the job would seem to go a step back.
  await settled()
  set({ waiting: state.waiting.filter(({ id }) => id !== step.id) })
  return false
}

export async function post(path: string, body: unknown): Promise<Response | null> {
  try {
    return await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      credentials: 'same-origin',
    })
  } catch {
    return null
  }
}

async function reachable(): Promise<boolean> {
  try {
    return (await fetch('/health/live', { cache: 'no-store' })).ok
  } catch {
    return false
  }
}
