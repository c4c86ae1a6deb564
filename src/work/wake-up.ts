/** Debounce: at most one notification in this time, since each one takes a lock on the whole database. */
const QUIET_MS = 50

/**
 * Wakes this process's runner at once, and the other processes' soon after, when work may be due. A lost
 * notification does no harm: every runner polls as well.
 */
export function wakeUp(here: () => void, notify: () => Promise<unknown>): () => void {
  let telling = false
  return () => {
    here()
    if (telling) return
    telling = true
    setTimeout(() => {
      telling = false
      notify().catch(() => {})
    }, QUIET_MS).unref()
  }
}
