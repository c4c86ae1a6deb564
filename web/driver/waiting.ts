import { type FailReason, failReason } from '../../src/domain/own-network/job.ts'
import type { DriverJob } from '../shared/api.generated.ts'

/** A step that the driver has done and the server may not know yet. */
export type Waiting = {
  /** Sorts by creation time, and identifies the proof. */
  id: string
  jobId: string
  verb: 'approach' | 'collect' | 'deliver' | 'fail' | 'bring-back' | 'return'
  body: unknown
  /** The step's address, for people: `14 Keele Street`. */
  about: string
  /** Whether a photo is accepted as proof there; not if a signature is required. */
  photoDoes?: boolean
  /** It can be undone until then; wall time. */
  notBeforeMs: number
}

/** The step's photo, as base64; null if it has none. */
export function photoOf({ body }: Pick<Waiting, 'body'>): string | null {
  const { image, proof } = body as { image?: string; proof?: { image?: string } }
  return proof?.image ?? image ?? null
}

/** The step without its proof: it changes the list in the same way. */
export function withoutProof(step: Waiting): Waiting {
  const { proof: _proof, image: _image, ...body } = step.body as Record<string, unknown>
  return { ...step, body }
}

/** Why the driver must not log out yet, as sentences: logging out deletes what only this phone has. */
export function logoutBlockers(
  waiting: readonly unknown[],
  refused: readonly { photo?: string; resendOnLogin?: Waiting }[],
): string[] {
  const unread = refused.filter(({ photo, resendOnLogin }) => photo !== undefined || resendOnLogin).length
  return [
    ...(waiting.length > 0
      ? [`${updates(waiting.length)} not sent yet. Stay logged in until the phone has sent everything.`]
      : []),
    ...(unread > 0
      ? [`${updates(unread)} did not go through. Read the message at the top first: logging out deletes it.`]
      : []),
  ]
}

/** Whether a driver may delete the waiting steps and log out: the phone is online, but no step can be sent. */
export function mayDeleteWaiting(
  waiting: readonly { id: string; jobId: string }[],
  stuck: readonly string[],
): boolean {
  const stuckJobs = new Set(waiting.filter(({ id }) => stuck.includes(id)).map(({ jobId }) => jobId))
  return waiting.length > 0 && waiting.every(({ jobId }) => stuckJobs.has(jobId))
}

export const updates = (count: number): string => (count === 1 ? '1 update' : `${count} updates`)

/** Whether a parcel goes back to the store at once. */
export function goesBack(reason: FailReason): boolean {
  return failReason(reason).goesBack
}

/** The jobs with the driver's waiting steps applied. */
export function withWaiting(jobs: readonly DriverJob[], waiting: readonly Waiting[]): DriverJob[] {
  return jobs.flatMap((job) => {
    const steps = waiting.filter(({ jobId }) => jobId === job.id)
    const after = steps.reduce<DriverJob | null>((one, step) => one && afterStep(one, step), job)
    return after ? [after] : []
  })
}

function afterStep(job: DriverJob, { verb, body }: Waiting): DriverJob | null {
  if (verb === 'approach') return job.status === 'collected' ? job : { ...job, status: 'approaching' }
  if (verb === 'bring-back') return { ...job, status: 'pending_return' }
  if (verb === 'collect') return { ...job, status: 'collected', parcels: takenOf(job.parcels, body) }
  if (verb === 'fail') {
    const { reason } = body as { reason: FailReason }
    return goesBack(reason)
      ? { ...job, status: 'pending_return', sub_status: reason }
      : { ...job, sub_status: 'attempted' }
  }
  return null
}

/** The units that the driver collected of each row: all of them, unless the step names fewer. */
function takenOf(rows: DriverJob['parcels'], body: unknown): DriverJob['parcels'] {
  const { parcel_references: names, parcels } = body as CollectBody
  const collected = (reference: string, quantity: number) => {
    if (parcels) return parcels.find((one) => one.reference === reference)?.quantity ?? 0
    return !names || names.includes(reference) ? quantity : 0
  }
  return rows
    .map((row) => ({ ...row, quantity: Math.min(row.quantity, collected(row.reference, row.quantity)) }))
    .filter(({ quantity }) => quantity > 0)
}

type CollectBody = { parcel_references?: string[]; parcels?: { reference: string; quantity: number }[] }

/** Whether this step finishes the stop: it counts as one of today's. */
export function endsStop({ verb }: Pick<Waiting, 'verb'>): boolean {
  return verb === 'deliver' || verb === 'return'
}

/** Steps that may be sent now: those of each job in order, and none before its time. `retryAtMs`: by step id. */
export function listSendable(
  waiting: readonly Waiting[],
  nowMs: number,
  retryAtMs: ReadonlyMap<string, number> = new Map(),
): Waiting[] {
  const held = new Set<string>()
  return waiting.filter(({ id, jobId, notBeforeMs }) => {
    if (Math.max(notBeforeMs, retryAtMs.get(id) ?? 0) > nowMs) held.add(jobId)
    return !held.has(jobId)
  })
}
