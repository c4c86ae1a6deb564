import { photoOf, type Waiting } from './waiting.ts'

/** What the response to a step means. */
export type StepAnswer =
  | { kind: 'done' }
  | { kind: 'rejected'; status: number; message: string }
  /**
   * The phone keeps the step and sends it again. `waits`: only the steps of this job wait, or those of every job. `lost`:
   * why there is no response for any job, or null.
   */
  | { kind: 'later'; waits: 'job' | 'all'; lost: 'signal' | 'server' | null; loggedOut: boolean }

/**
 * Only Drover decides about a step. A firewall, a proxy or the login page of a Wi-Fi network may respond in its place:
 * that counts as no response.
 */
export async function readAnswer(
  step: Pick<Waiting, 'verb' | 'body'>,
  response: Response | null,
): Promise<StepAnswer> {
  if (response === null) return { kind: 'later', waits: 'all', lost: 'signal', loggedOut: false }
  const { status, ok } = response
  const type = response.headers.get('content-type') ?? ''
  if (ok && type.startsWith('application/json')) return { kind: 'done' }
  const { code, detail = '' } = type.startsWith('application/problem+json') ? await readProblem(response) : {}
  if (status >= 500) return { kind: 'later', waits: 'all', lost: 'server', loggedOut: false }
  // A proxy rejected this step, perhaps because its photo is too large, or Drover timed out receiving it (408). Steps of
  // other jobs may get through.
  if (ok || code === undefined || status === 408)
    return { kind: 'later', waits: 'job', lost: null, loggedOut: false }
  // 429: too many requests.
  if (status === 401 || status === 429)
    return { kind: 'later', waits: 'all', lost: null, loggedOut: status === 401 }
  // A step that the job has already passed is not a failure, but a photo that was not accepted is lost.
  const isPassed = status === 409 && step.verb !== 'deliver' && photoOf(step) === null
  return isPassed ? { kind: 'done' } : { kind: 'rejected', status, message: detail }
}

function readProblem(response: Response): Promise<{ code?: string; detail?: string }> {
  return response.json().catch(() => ({}))
}
