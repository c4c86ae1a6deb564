import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { formatPlace, isSameClock } from '../../src/domain/calendar/format-window-at.ts'
import type { Tracking } from '../shared/api.generated.ts'
import { api } from '../shared/api.ts'
import { Loading } from '../shared/loading.tsx'
import { MapCard } from '../shared/map/map-card.tsx'
import { momentOf, phoneZone } from '../shared/page-times.ts'
import { toProblem } from '../shared/problem.ts'
import { NO_BRAND, PublicBand } from '../shared/public-band.tsx'
import { Facts } from './facts.tsx'
import { Steps } from './steps.tsx'
import { toMapContent } from './to-map-content.ts'
import { useIsStale } from './use-is-stale.ts'
import { useNow } from './use-now.ts'
import { Hero, titleOf } from './when.tsx'
import { Zoom } from './zoom.tsx'

const OVER: readonly string[] = ['delivered', 'returned', 'cancelled']
/** On one bar of signal a response may take minutes: a new request may succeed. */
const ANSWER_MS = 10_000

/** A delivery's page for its customer: when, then where, then the rest. It reloads its data by itself. */
export function TrackingPage({ token }: { token: string }) {
  const { data, error, failureReason, dataUpdatedAt } = useQuery({
    queryKey: ['track', token],
    queryFn: () => readTracking(token),
    refetchInterval: ({ state }) => everyMsOf(state.data),
    refetchOnReconnect: true,
  })
  if (data) {
    const reason = failureReason ?? error
    const refused = reason !== null && toProblem(reason).status !== 0
    return <Delivery tracking={data} readAtMs={dataUpdatedAt} failed={error !== null} refused={refused} />
  }
  return (
    <>
      <PublicBand brand={NO_BRAND} />
      <main className="alone">
        {data === null ? (
          <Gone />
        ) : error ? (
          <NotNow message={toProblem(error).message} />
        ) : (
          <Loading lines={[60, 90, 40]} />
        )}
      </main>
    </>
  )
}

/** Null once the address is not found: it replaces the delivery that an open page still shows. */
async function readTracking(token: string): Promise<Tracking | null> {
  try {
    const params = { path: { token } }
    return (await api.GET('/track/{token}', { params, timeoutMs: ANSWER_MS })).data
  } catch (error) {
    if (toProblem(error).status === 404) return null
    throw error
  }
}

/** How often the page polls: rarely once the delivery is over. */
function everyMsOf(tracking: Tracking | null | undefined): number {
  return tracking && OVER.includes(tracking.status) ? 300_000 : 15_000
}

/** `refused`: the last poll got an answer, but not the delivery. */
function Delivery(props: { tracking: Tracking; readAtMs: number; failed: boolean; refused: boolean }) {
  const { tracking, readAtMs, failed, refused } = props
  const nowMs = useNow(tracking.now, readAtMs)
  const lost = useIsStale({ failed, readAtMs, everyMs: everyMsOf(tracking) })
  const elsewhere = !isSameClock(tracking.time_zone, phoneZone(), nowMs)
  const map = toMapContent(tracking)
  useEffect(() => {
    const { title } = document
    document.title = titleOf(tracking)
    return () => {
      document.title = title
    }
  }, [tracking])
  return (
    <>
      <PublicBand brand={tracking.brand} order={tracking.reference} />
      <div className="wrap">
        <main className="info">
          {lost && (
            <p className="offline" role="status">
              <span>
                <b>
                  {refused ? 'No update' : 'No connection'} since{' '}
                  <time dateTime={tracking.now}>{momentOf(tracking.now, nowMs)}</time>.
                </b>{' '}
                This is how it was then. We keep trying.
              </span>
            </p>
          )}
          <Hero tracking={tracking} nowMs={nowMs} lost={lost} />
          <Zoom tracking={tracking} nowMs={nowMs} />
          {map && <MapCard className="narrow" content={map} />}
          <Steps tracking={tracking} />
          <Facts tracking={tracking} token={location.pathname} />
          <footer>
            {tracking.carrier && `Carried by ${tracking.carrier} for ${tracking.brand.name}. `}
            This page stops working 30 days after the delivery ends.{' '}
            {elsewhere && `Times at your address are ${formatPlace(tracking.time_zone)}.`}
          </footer>
        </main>
        {map && (
          <aside aria-label="Map" className="wide">
            <MapCard content={map} />
          </aside>
        )}
      </div>
    </>
  )
}

function Gone() {
  return (
    <div role="alert">
      <h1>There is nothing to track here.</h1>
      <p>
        Check that the address is complete. It stops working 30 days after a delivery; the store can tell you
        more.
      </p>
    </div>
  )
}

function NotNow({ message }: { message: string }) {
  return (
    <div role="alert">
      <h1>We can’t check right now.</h1>
      <p>{message} This page will try again automatically.</p>
    </div>
  )
}
