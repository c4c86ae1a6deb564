import { useEffect, useState, useSyncExternalStore } from 'react'

type Reading = { failed: boolean; readAtMs: number; everyMs: number }

/**
 * Whether what is shown is kept up no longer: the phone has no connection, the last reading failed, or none came for
 * twice as long as it should. Told anew whenever its page is drawn.
 */
export function useLost({ failed, readAtMs, everyMs }: Reading): boolean {
  const online = useSyncExternalStore(onConnection, () => navigator.onLine)
  const seenMs = useSeen()
  // A page that nobody looks at is not read anew: it has its time from when it is seen again.
  return failed || !online || Date.now() - Math.max(readAtMs, seenMs) > 2 * everyMs
}

function onConnection(changed: () => void): () => void {
  for (const event of ['online', 'offline']) addEventListener(event, changed)
  return () => {
    for (const event of ['online', 'offline']) removeEventListener(event, changed)
  }
}

/** Since when the page has been looked at. */
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
