import { useEffect, useState, useSyncExternalStore } from 'react'

type Reading = { failed: boolean; readAtMs: number; everyMs: number }

/**
 * Whether the page's data is out of date: the phone is offline, the last poll failed, or none succeeded for twice
 * the poll interval. Evaluated at each render.
 */
export function useIsStale({ failed, readAtMs, everyMs }: Reading): boolean {
  const online = useSyncExternalStore(onConnection, () => navigator.onLine)
  const seenMs = useSeen()
  // A hidden page does not poll: its time counts from when it is visible again.
  return failed || !online || Date.now() - Math.max(readAtMs, seenMs) > 2 * everyMs
}

function onConnection(changed: () => void): () => void {
  for (const event of ['online', 'offline']) addEventListener(event, changed)
  return () => {
    for (const event of ['online', 'offline']) removeEventListener(event, changed)
  }
}

/** Since when the page has been visible. */
function useSeen(): number {
  const [seenMs, setSeenMs] = useState(Date.now)
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') setSeenMs(Date.now())
    }
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return seenMs
}
