import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api } from '../shared/api.ts'
import { Icon } from '../shared/icon.tsx'
import { setConnectionFailure, useConnectionFailure } from './connection.ts'
import { type ConnectionFailure, formatConnectionFailure, toConnectionFailure } from './connection-failure.ts'
import { usePortal } from './portal.ts'
import { tell } from './refresh-queries.ts'

const ASK_EVERY_MS = 2_000
/** After a failure: spread, so that not every browser polls a recovering server at once. */
const ASK_AGAIN_MS = 4_000
const MAX_AFTER_PACE_MS = 1_000

/** The sentence that says why there are no updates, for rows without space for their own. */
export const CONNECTION_FAILURE_ID = 'connection-failure'

/** Polls the account's feed and marks lists as stale. Says why there are no updates, and how old the data is. */
export function LiveUpdates() {
  const { tenantId, nowMs, store } = usePortal()
  const queries = useQueryClient()
  const failure = useConnectionFailure()
  // The clock is set again each minute, and polling continues from its last cursor.
  const clock = useRef(nowMs)
  clock.current = nowMs
  useEffect(() => {
    let over = false
    let after = 'latest'
    let timer: ReturnType<typeof setTimeout>
    let heardMs = clock.current()
    const ask = async () => {
      let pauseMs = ASK_EVERY_MS
      try {
        if (document.visibilityState === 'visible') {
          const { data, pagination } = await api.GET('/{tenant_id}/events', {
            params: { path: { tenant_id: tenantId }, query: { after, limit: 200 } },
          })
          after = pagination.next ?? after
          if (data.length > 0) await tell(queries, tenantId, data)
          heardMs = clock.current()
          if (!over) setConnectionFailure(null)
          if (pagination.has_more) pauseMs = 0
        }
      } catch (error) {
        const wallMs = Date.now()
        const failure = toConnectionFailure(error, { sinceMs: heardMs, wallMs })
        if (!over) setConnectionFailure(failure)
        // A rejected user is logged out, or has fewer rights than before.
        if (failure === null) void queries.invalidateQueries({ queryKey: ['session'] })
        const [minMs, spreadMs] =
          failure?.why === 'pace'
            ? [failure.untilMs - wallMs, MAX_AFTER_PACE_MS]
            : [ASK_AGAIN_MS, ASK_AGAIN_MS]
        pauseMs = minMs + Math.random() * spreadMs
      }
      if (!over) timer = setTimeout(ask, pauseMs)
    }
    const loseSignal = () => setConnectionFailure({ why: 'signal', sinceMs: heardMs })
    window.addEventListener('offline', loseSignal)
    void ask()
    return () => {
      over = true
      clearTimeout(timer)
      window.removeEventListener('offline', loseSignal)
      setConnectionFailure(null)
    }
  }, [queries, tenantId])
  return failure && <Silence failure={failure} zone={store.time_zone} />
}

function Silence({ failure, zone }: { failure: ConnectionFailure; zone: string }) {
  const wallMs = useSecond()
  const { bold, rest } = formatConnectionFailure(failure, wallMs, zone)
  return (
    <p id={CONNECTION_FAILURE_ID} className="offline fixed" role="status">
      {failure.why === 'signal' && <Icon name="offline" size={20} />}
      <span>
        {/* The countdown is visible, but a screen reader does not read out each second. */}
        <b>{bold}</b> <span aria-live={failure.why === 'pace' ? 'off' : undefined}>{rest}</span>
      </span>
    </p>
  )
}

/** The browser's clock, updated each second. */
function useSecond(): number {
  const [wallMs, setWallMs] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setWallMs(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return wallMs
}
