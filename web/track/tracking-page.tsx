import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Tracking } from '../shared/api.generated.ts'
import { answerOf, api } from '../shared/api.ts'
import { Loading } from '../shared/loading.tsx'
import { MapCard } from '../shared/map/map-card.tsx'
import { otherZone } from '../shared/page-times.ts'
import { problemOf } from '../shared/problem.ts'
import { NO_BRAND, PublicBand } from '../shared/public-band.tsx'
import { Facts } from './facts.tsx'
import { mapOf } from './map-of.ts'
import { Steps } from './steps.tsx'
import { useNow } from './use-now.ts'
import { Hero, titleOf } from './when.tsx'
import { Zoom } from './zoom.tsx'

const OVER: readonly string[] = ['delivered', 'returned', 'cancelled']

/** The one page of a delivery for its customer: when, then where, then the rest. It reads itself anew. */
export function TrackingPage({ token }: { token: string }) {
  const { data, error, dataUpdatedAt } = useQuery({
    queryKey: ['track', token],
    queryFn: async () => (await answerOf(api.GET('/track/{token}', { params: { path: { token } } }))).data,
    refetchInterval: ({ state }) => (state.data && OVER.includes(state.data.status) ? 300_000 : 15_000),
  })
  if (data) return <Delivery tracking={data} readAtMs={dataUpdatedAt} offline={error !== null} />
  return (
    <>
      <PublicBand brand={NO_BRAND} />
      <main className="alone">{error ? <NotHere error={error} /> : <Loading lines={[60, 90, 40]} />}</main>
    </>
  )
}

function Delivery({
  tracking,
  readAtMs,
  offline,
}: {
  tracking: Tracking
  readAtMs: number
  offline: boolean
}) {
  const nowMs = useNow(tracking.now, readAtMs)
  const zone = otherZone(tracking.time_zone, nowMs)
  const map = mapOf(tracking)
  useEffect(() => {
    document.title = titleOf(tracking)
  }, [tracking])
  return (
    <>
      <PublicBand brand={tracking.brand} order={tracking.reference} />
      <div className="wrap">
        <main className="info">
          {offline && (
            <p className="offline" role="status">
              No connection. This is how it stood a while ago; it comes back by itself.
            </p>
          )}
          <Hero tracking={tracking} nowMs={nowMs} />
          <Zoom tracking={tracking} nowMs={nowMs} />
          {map && <MapCard className="narrow" content={map} />}
          <Steps tracking={tracking} />
          <Facts tracking={tracking} token={location.pathname} />
          <footer>
            {tracking.carrier && `Carried by ${tracking.carrier} for ${tracking.brand.name}. `}
            This page stops working 30 days after the end. {zone && `Times are ${zone} time.`}
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

function NotHere({ error }: { error: unknown }) {
  const problem = problemOf(error)
  const gone = problem.status === 404
  return (
    <div role="alert">
      <h1>{gone ? 'There is nothing to follow here.' : 'We cannot look just now.'}</h1>
      <p>
        {gone
          ? 'Check that the address is complete. It stops working 30 days after a delivery; the store can tell you more.'
          : `${problem.message} This page tries again by itself.`}
      </p>
    </div>
  )
}
