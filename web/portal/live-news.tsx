import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { answerOf, api } from '../shared/api.ts'
import { Icon } from '../shared/icon.tsx'
import { Problem } from '../shared/problem.ts'
import { clockWords } from '../shared/times.ts'
import { isSilent, setSilentSince, useSilentSince } from './connection.ts'
import { tell } from './news.ts'
import { usePortal } from './portal.ts'

const ASK_EVERY_MS = 2_000
/** After a failure; a server that comes back is not asked by everybody at once. */
const ASK_AGAIN_MS = 4_000

/** The sentence that says since when nothing is heard, where a row has no room for one of its own. */
export const NO_CONNECTION_ID = 'no-connection'

/** Hears the account's feed and says which lists are stale. Says since when nothing is heard. */
export function LiveNews() {
  const { tenantId, nowMs, store } = usePortal()
  const queries = useQueryClient()
  const silentSinceMs = useSilentSince()
  // The clock is set anew each minute, and the news goes on from where it was.
  const clock = useRef(nowMs)
  clock.current = nowMs
  useEffect(() => {
    let over = false
    let after = 'latest'
    let timer: ReturnType<typeof setTimeout>
    const fallSilent = () => {
      if (!over && !isSilent()) setSilentSince(clock.current())
    }
    const ask = async () => {
      let pauseMs = ASK_EVERY_MS
      try {
        if (document.visibilityState === 'visible') {
          const { data, pagination } = await answerOf(
            api.GET('/{tenant_id}/events', {
              params: { path: { tenant_id: tenantId }, query: { after, limit: 200 } },
            }),
          )
          after = pagination.next ?? after
          if (data.length > 0) await tell(queries, tenantId, data)
          setSilentSince(null)
          if (pagination.has_more) pauseMs = 0
        }
      } catch (error) {
        if (error instanceof Problem && error.status === 401) {
          setSilentSince(null)
          void queries.invalidateQueries({ queryKey: ['session'] })
        } else fallSilent()
        pauseMs = ASK_AGAIN_MS + Math.random() * ASK_AGAIN_MS
      }
      if (!over) timer = setTimeout(ask, pauseMs)
    }
    window.addEventListener('offline', fallSilent)
    void ask()
    return () => {
      over = true
      clearTimeout(timer)
      window.removeEventListener('offline', fallSilent)
      setSilentSince(null)
    }
  }, [queries, tenantId])
  if (silentSinceMs === null) return null
  return (
    <p id={NO_CONNECTION_ID} className="offline fixed" role="status">
      <Icon name="offline" size={20} />
      <span>
        <b>No connection since {clockWords(silentSinceMs, store.time_zone)}.</b> You see everything as it was
        then. It comes back by itself.
      </span>
    </p>
  )
}
