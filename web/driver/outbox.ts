import { useSyncExternalStore } from 'react'
import { countDone } from './done-today.ts'
import { listWaiting, putWaiting, readStored, removeWaiting, writeStored } from './phone-store.ts'
import { post, reachable } from './post.ts'
import { remedyOf } from './remedy.ts'
import { readAnswer, type StepAnswer } from './step-answer.ts'
import { readJobs } from './stored-jobs.ts'
import { endsStop, listSendable, photoOf, type Waiting, withoutProof } from './waiting.ts'

/** The state of the steps: those that wait, those that were rejected, and whether the server responds. */
export type OutboxState = {
  waiting: readonly Waiting[]
  /** Steps that were sent after the shown list was requested: they still apply to it. */
  sentNotListed: readonly Waiting[]
  /** Ids of waiting steps that something between the phone and Drover rejects, again and again. */
  stuck: readonly string[]
  refused: readonly Refused[]
  /** Why there is no response: no signal, or a failing server. Null while the server responds. */
  lost: 'signal' | 'server' | null
  /** Its last response, by the phone's clock. */
  heardMs: number | null
  loggedOut: boolean
  /** How many steps were sent since the outbox was last empty. */
  sent: number
  /** The step that the driver waits for: only the server can say whether it succeeded. */
  asked: string | null
}

export type Refused = {
  id: string
  jobId: string
  about: string
  message: string
  /** What the driver can do about it. */
  remedy: string | null
  /** The stop is still the driver's, and another proof may be accepted. */
  again: boolean
  /** The only copy of the photo, as base64, until the driver has read the message. */
  photo?: string
  /** Sent again after the next login: its job may belong to a business that the driver was not logged in to. */
  resendOnLogin?: Waiting
}
type Step = Omit<Waiting, 'id' | 'notBeforeMs'>

let state: OutboxState = {
  waiting: [],
  sentNotListed: [],
  stuck: [],
  refused: [],
  lost: null,
  heardMs: null,
  loggedOut: false,
  sent: 0,
  asked: null,
}
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

/** How long a proof can be undone. */
export const UNDO_MS = 10_000
/** How long a driver waits at the door for a result that only the server knows. */
const HELD_MS = 10_000
const TRY_MS = 4_000

/**
 * Stores a step on the phone, then sends it, now or when there is signal again. A double tap counts once: the phone
 * takes a moment to store a photo, so the driver may tap again.
 */
export async function doStep(step: Step, undoMs = 0): Promise<void> {
  const name = `${step.jobId} ${step.verb}`
  let storing = recentSteps.get(name)
  if (!storing) {
    storing = storeStep(step, undoMs).finally(() => setTimeout(() => recentSteps.delete(name), DOUBLE_TAP_MS))
    recentSteps.set(name, storing)
  }
  await storing
}

/** How long a second tap is ignored after the first step is stored: the next page may not be shown yet. */
const DOUBLE_TAP_MS = 1_000
const recentSteps = new Map<string, Promise<void>>()
// After another page opens, as an undo does, the driver means the next tap.
addEventListener('hashchange', () => recentSteps.clear())

async function storeStep(step: Step, undoMs: number): Promise<void> {
  const made = await put(step, undoMs)
  if (endsStop(made)) countDone(1)
  showWaiting(made)
  if (undoMs > 0) setTimeout(send, undoMs + 50)
  else void send()
}

/**
 * The same for a step that the server may well reject, such as a PIN: false if it did, and the job is unchanged.
 * Without a response in time, the step waits like any other, and counts as done until it is rejected.
 */
export async function doStepAndWait(step: Step): Promise<boolean> {
  const made = await put(step, 0)
  finishAsked(state.asked)
  const answered = new Promise<boolean>((done) => {
    tell = done
  })
  showWaiting(made)
  set({ asked: made.id })
  setTimeout(() => finishAsked(made.id), HELD_MS)
  void send()
  return answered
}

let tell: (done: boolean) => void = () => {}

/** The driver goes on: the step is done, or its result is unknown. */
function finishAsked(id: string | null): void {
  if (id === null || state.asked !== id) return
  countDone(1)
  set({ asked: null })
  tell(true)
}

async function put(step: Step, undoMs: number): Promise<Waiting> {
  const now = Date.now()
  const random = crypto.randomUUID().replaceAll('-', '').slice(0, 16)
  const id = `p${now.toString(36).padStart(9, '0')}-${random}`
  const made: Waiting = { ...step, id, notBeforeMs: now + undoMs }
  // The driver's next step replaces a rejection, unless its photo may be the only proof.
  const isKept = ({ jobId, photo, again }: Refused) => jobId !== step.jobId || (photo !== undefined && !again)
  if (!state.refused.every(isKept)) await changeRefused((refused) => refused.filter(isKept))
  await putWaiting(made)
  return made
}

/** The list may have been read from the phone since the step was stored, and then already has it. */
function showWaiting(made: Waiting): void {
  set({ waiting: [...state.waiting.filter(({ id }) => id !== made.id), made] })
}

/** False: it is already being sent. */
export async function undoStep(id: string): Promise<boolean> {
  const found = state.waiting.find((one) => one.id === id)
  if (!found || found.notBeforeMs <= Date.now()) return false
  await removeWaiting(id)
  if (endsStop(found)) countDone(-1)
  drop(id)
  return true
}

export async function dismissRefused(id: string): Promise<void> {
  await removeWaiting(id)
  await changeRefused((refused) => refused.filter((one) => one.id !== id))
}

/**
 * Stores rejected steps until the driver reads them: the app may be closed before the response arrives. Reads storage
 * first, because another tab may have added some. False: the phone could not store them.
 */
async function changeRefused(change: (refused: readonly Refused[]) => readonly Refused[]): Promise<boolean> {
  const refused = change((await readStored<Refused[]>('refused')) ?? state.refused)
  const isStored = await writeStored('refused', refused)
  set({ refused })
  return isStored
}

/** Notifies the app's other tabs of a login: they share the session, so they can send again too. */
const loginChannel = new BroadcastChannel('drover-driver')
loginChannel.onmessage = () => set({ loggedOut: false })

export async function loggedIn(): Promise<void> {
  set({ loggedOut: false })
  loginChannel.postMessage('logged in')
  for (const { resendOnLogin } of state.refused) {
    if (!resendOnLogin) continue
    await putWaiting(resendOnLogin)
    if (endsStop(resendOnLogin)) countDone(1)
    showWaiting(resendOnLogin)
  }
  await changeRefused((refused) => refused.filter(({ resendOnLogin }) => !resendOnLogin))
  void send()
}

/** The server has responded, with any status. */
export function recordResponse(): void {
  set({ lost: null, heardMs: Date.now() })
}

export function recordNoResponse(lost: 'signal' | 'server'): void {
  if (state.lost !== lost) set({ lost })
}

/** Resolves once the stored steps are known. */
export const { promise: outboxLoaded, resolve: setOutboxLoaded } = Promise.withResolvers<void>()

/** Loads the stored steps, and keeps sending whenever there may be signal. */
export async function startOutbox(onSent: () => Promise<void>): Promise<void> {
  settled = onSent
  const waiting = await listWaiting<Waiting>()
  const refused = (await readStored<Refused[]>('refused')) ?? []
  const sentNotListed = (await readStored<Waiting[]>('sent')) ?? []
  set({ waiting, sentNotListed, refused })
  setOutboxLoaded()
  set({ heardMs: state.heardMs ?? (await readJobs())?.readMs ?? null })
  for (const event of ['online', 'focus', 'visibilitychange']) addEventListener(event, () => void send())
  addEventListener('offline', () => recordNoResponse('signal'))
  setInterval(send, TRY_MS)
  void send()
}

let settled: () => Promise<void> = async () => {}

/** One tab sends at a time; each step leaves the phone only when the server has responded to it. */
async function send(): Promise<void> {
  if (state.loggedOut || (state.waiting.length === 0 && state.lost !== 'signal')) return
  await navigator.locks.request('drover-outbox', { ifAvailable: true }, async (lock) => {
    if (!lock) return
    await showSentElsewhere()
    // A rejected step that could not be stored as such stays among the waiting ones.
    const rejected = new Set(state.refused.map(({ id }) => id))
    const waiting = (await listWaiting<Waiting>()).filter(({ id }) => !rejected.has(id))
    const held = new Set<string>()
    for (const step of listSendable(waiting, Date.now(), retryAtMs)) {
      if (held.has(step.jobId)) continue
      const waits = await sendOne(step)
      if (waits === 'all') return
      if (waits === 'job') held.add(step.jobId)
    }
    if (state.lost !== 'signal' || !navigator.onLine || !(await reachable())) return
    recordResponse()
    await settled()
  })
}

/** Another tab may have sent steps that this one still shows as waiting. */
async function showSentElsewhere(): Promise<void> {
  const stored = new Set((await listWaiting()).map(({ id }) => id))
  if (state.waiting.every(({ id }) => stored.has(id))) return
  set({ sentNotListed: (await readStored<Waiting[]>('sent')) ?? state.sentNotListed })
  await settled()
  set({
    waiting: await listWaiting<Waiting>(),
    refused: (await readStored<Refused[]>('refused')) ?? state.refused,
  })
}

const NOT_YOURS =
  'This isn’t one of your jobs now: the store may have given it to somebody else, or called it off.'

/** When to retry a step that a proxy rejected, by step id. Exponential backoff, because its photo may be large. */
const retryAtMs = new Map<string, number>()
const retries = new Map<string, number>()
const MAX_RETRY_MS = 5 * 60_000
/** The third rejection comes 12 seconds after the first. */
const REJECTIONS_OF_A_STUCK_STEP = 3

function postpone(id: string): void {
  const count = retries.get(id) ?? 0
  retries.set(id, count + 1)
  retryAtMs.set(id, Date.now() + Math.min(TRY_MS * 2 ** count, MAX_RETRY_MS))
  if (count + 1 === REJECTIONS_OF_A_STUCK_STEP) set({ stuck: [...state.stuck, id] })
}

/** Which steps must wait: this job's or every job's. Null if the step is done or rejected. */
async function sendOne(step: Waiting): Promise<'job' | 'all' | null> {
  const response = await post(`/driver/jobs/${encodeURIComponent(step.jobId)}/${step.verb}`, step.body)
  const answer = await readAnswer(step, response)
  if (answer.kind === 'later') {
    if (answer.lost) recordNoResponse(answer.lost)
    if (answer.waits === 'job') postpone(step.id)
    if (answer.loggedOut) set({ loggedOut: true })
    finishAsked(state.asked)
    return answer.waits
  }
  recordResponse()
  if (answer.kind === 'rejected') await refuse(step, answer)
  else await recordSent(step)
  await settled()
  drop(step.id)
  return null
}

/** Until the list is loaded again the step still applies, or the job would seem to go a step back. */
async function recordSent(step: Waiting): Promise<void> {
  // Another tab may have stored some since this one read them.
  const stored = (await readStored<Waiting[]>('sent')) ?? state.sentNotListed
  const sentNotListed = [...stored, withoutProof(step)]
  await writeStored('sent', sentNotListed)
  await removeWaiting(step.id)
  set({ sentNotListed, sent: state.sent + 1 })
  finishAsked(step.id)
}

/** The steps that a list includes if the phone requests it now. */
export function idsSentNotListed(): string[] {
  return state.sentNotListed.map(({ id }) => id)
}

export async function forgetListed(ids: readonly string[]): Promise<void> {
  if (!state.sentNotListed.some(({ id }) => ids.includes(id))) return
  const stored = (await readStored<Waiting[]>('sent')) ?? state.sentNotListed
  const sentNotListed = stored.filter(({ id }) => !ids.includes(id))
  set({ sentNotListed })
  await writeStored('sent', sentNotListed)
}

async function refuse(step: Waiting, answer: StepAnswer & { kind: 'rejected' }): Promise<void> {
  const { id, jobId, about } = step
  const { status } = answer
  const message = status === 404 ? NOT_YOURS : answer.message
  const remedy = remedyOf(step, status, message)
  const again = step.verb === 'deliver' && status === 422
  const photo = photoOf(step)
  // The stop is the driver's again before the message appears, because the message links to it.
  if (again) drop(id)
  const resendOnLogin = status === 404 ? step : undefined
  const refused: Refused = {
    ...{ id, jobId, about, message, remedy, again },
    ...(photo !== null && { photo }),
    ...(resendOnLogin && { resendOnLogin }),
  }
  const isStored = await changeRefused((stored) => [...stored.filter((one) => one.id !== id), refused])
  // The waiting step is then the only copy of its photo on the phone's disk.
  if (isStored) await removeWaiting(id)
  if (state.asked !== id) {
    if (endsStop(step)) countDone(-1)
    return
  }
  drop(id)
  set({ asked: null })
  tell(false)
}

/** The step no longer applies to the shown jobs. */
function drop(id: string): void {
  set({ waiting: state.waiting.filter((one) => one.id !== id) })
}
