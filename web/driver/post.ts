/** On one bar of signal a response may take minutes. */
export const ANSWER_MS = 10_000
/** A slow phone sends 10 kB a second: a photo takes time. */
const BYTES_PER_MS = 10

/** The response; null if none came in time. */
export async function post(path: string, body: unknown): Promise<Response | null> {
  const text = JSON.stringify(body)
  try {
    return await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: text,
      credentials: 'same-origin',
      signal: AbortSignal.timeout(ANSWER_MS + text.length / BYTES_PER_MS),
    })
  } catch {
    return null
  }
}

export async function reachable(): Promise<boolean> {
  try {
    return (await fetch('/health/live', { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_MS) })).ok
  } catch {
    return false
  }
}
