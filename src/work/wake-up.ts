/** Notifications are merged: at most one in this time, since each one takes a lock of the whole database. */
const QUIET_MS = 50

/**
 * Tells this process's runner at once, and the other processes' soon after, that work may be due. A
 * notification that fails is not missed: every runner polls as well.
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
