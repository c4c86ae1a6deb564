import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionButton } from '../../shared/action-button.tsx'
import type { CarriersAnswer } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { count } from '../../shared/count.ts'
import { Loading } from '../../shared/loading.tsx'
import { toProblem } from '../../shared/problem.ts'
import { ProblemView } from '../../shared/problem-view.tsx'
import { formatMoment } from '../../shared/times.ts'
import { usePortal } from '../portal.ts'
import { useTitle } from '../use-title.ts'
import { SwitchOff } from './switch-off.tsx'
import { Uncollected } from './uncollected.tsx'

type CarrierSummary = CarriersAnswer['data'][number]

/** Each carrier: whether it is on, whether it responds, and which bookings it has not collected. */
export function Carriers() {
  const { tenantId } = usePortal()
  useTitle('Carriers')
  const { data, error, refetch } = useQuery({
    queryKey: ['carriers', tenantId],
    queryFn: async () =>
      (await api.GET('/{tenant_id}/carriers', { params: { path: { tenant_id: tenantId } } })).data,
    refetchInterval: 10_000,
  })
  return (
    <>
      <div className="head">
        <h1>Carriers</h1>
        <span className="dim">
          A carrier that’s switched off gets no new deliveries. We still track the deliveries it already has.
        </span>
      </div>
      {error && !data && <ProblemView error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      <div className="stack-of-cards">
        {data?.map((carrier) => (
          <Carrier key={carrier.provider} carrier={carrier} />
        ))}
      </div>
    </>
  )
}

function Carrier({ carrier }: { carrier: CarrierSummary }) {
  const { tenantId } = usePortal()
  const queries = useQueryClient()
  const [open, setOpen] = useState(false)
  const [switching, setSwitching] = useState(false)
  const { provider, name, on, uncollected_count } = carrier
  const params = { path: { tenant_id: tenantId, provider } }
  const check = useMutation({
    mutationFn: async () => (await api.POST('/{tenant_id}/carriers/{provider}/check', { params })).data,
  })
  const switchOn = useMutation({
    mutationFn: () => api.PUT('/{tenant_id}/carriers/{provider}/switch', { params, body: { on: true } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['carriers', tenantId] }),
  })
  const failure = check.error ?? switchOn.error
  return (
    <section className="sheet pad" aria-label={name}>
      <h2>{name}</h2>
      <Standing carrier={carrier} />
      <p className="dim">
        {uncollected_count === 0
          ? `${name} has no deliveries to collect.`
          : `${name} hasn’t collected ${count(uncollected_count, 'booked delivery', 'booked deliveries')} yet.`}
      </p>
      {check.data && <p className={check.data.ok ? 'dim' : 'k-stop notice'}>{check.data.message}</p>}
      {failure && (
        <p role="alert" className="field-error">
          {toProblem(failure).message}
        </p>
      )}
      <div className="row-of-buttons">
        {uncollected_count > 0 && (
          <button type="button" className="b s" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? 'Hide deliveries' : 'Show deliveries'}
          </button>
        )}
        <ActionButton type="button" className="b s" busy={check.isPending} onClick={() => check.mutate()}>
          {check.isPending ? 'Testing…' : 'Test login'}
        </ActionButton>
        {on ? (
          <button type="button" className="b s no" onClick={() => setSwitching(true)}>
            Switch off
          </button>
        ) : (
          <ActionButton
            type="button"
            className="b s"
            busy={switchOn.isPending}
            onClick={() => switchOn.mutate()}
          >
            Switch on
          </ActionButton>
        )}
      </div>
      {open && uncollected_count > 0 && <Uncollected provider={provider} />}
      {switching && <SwitchOff carrier={carrier} onClose={() => setSwitching(false)} />}
    </section>
  )
}

/** Its problems, one sentence each. */
function Standing({ carrier }: { carrier: CarrierSummary }) {
  const { store, nowMs } = usePortal()
  const at = (time: string) => formatMoment(Date.parse(time), store.time_zone, nowMs())
  const {
    name,
    on,
    disabled_since,
    reason,
    decommissioned: isDecommissioned,
    outage_since,
    recall_started_at,
  } = carrier
  if (on && !outage_since) return <p>Switched on and responding.</p>
  return (
    <>
      {!on && disabled_since && (
        <p className="k-stop notice">
          Switched off since {at(disabled_since)}.
          {isDecommissioned && ` ${name} has stopped collecting for good.`}
          {reason && ` Reason: ${reason}`}
        </p>
      )}
      {outage_since && (
        <p className="k-stop notice">
          {name} hasn’t responded since {at(outage_since)}. We try again every 30 seconds.
          {recall_started_at &&
            ` Since ${at(recall_started_at)}, we’ve been asking ${name} to cancel the deliveries that it hasn’t collected.`}
        </p>
      )}
    </>
  )
}
