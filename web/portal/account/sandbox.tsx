import { TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionButton } from '../../shared/action-button.tsx'
import { api } from '../../shared/api.ts'
import { Loading } from '../../shared/loading.tsx'
import { toProblem } from '../../shared/problem.ts'
import { ProblemView } from '../../shared/problem-view.tsx'
import { clockWords, formatMoment, isoLocal, longDay, toInstantMs } from '../../shared/times.ts'
import { sentByButton } from '../on-submit.ts'
import { usePortal } from '../portal.ts'
import { useMinute } from '../use-minute.ts'
import { useTitle } from '../use-title.ts'
import { Wide } from '../wide.tsx'

const STEPS = [
  ['15 minutes forward', 15],
  ['1 hour forward', 60],
  ['1 day forward', 24 * 60],
] as const

/** The test clock, and the requests to the sandbox carriers. */
export function Sandbox() {
  useTitle('Sandbox')
  return (
    <>
      <div className="head">
        <h1>Sandbox</h1>
        <span className="dim">
          Only for sandbox accounts. Practice carriers don’t really collect anything.
        </span>
      </div>
      <div className="stack-of-cards">
        <Clock />
        <Ledger />
      </div>
    </>
  )
}

function Clock() {
  const { tenantId, store, nowMs } = usePortal()
  const shownMs = useMinute()
  const queries = useQueryClient()
  const [to, setTo] = useState(() => isoLocal(nowMs(), store.time_zone))
  const { mutate, error, isPending } = useMutation({
    mutationFn: (now: string | null) =>
      api.PUT('/admin/accounts/{tenant_id}/clock', {
        params: { path: { tenant_id: tenantId } },
        body: { now },
      }),
    // A new date changes every list.
    onSettled: () => queries.invalidateQueries(),
  })
  const sending = sentByButton(() => {
    const ms = toInstantMs(to, store.time_zone)
    mutate(Number.isNaN(ms) ? to : new Date(ms).toISOString())
  })
  return (
    <section className="sheet pad" aria-labelledby="clock">
      <h2 id="clock">
        The sandbox clock shows {clockWords(shownMs, store.time_zone)}, {longDay(shownMs, store.time_zone)}
      </h2>
      <div className="row-of-buttons">
        {STEPS.map(([word, minutes]) => (
          <ActionButton
            key={word}
            type="button"
            className="b s"
            busy={isPending}
            onClick={() => mutate(new Date(nowMs() + minutes * 60_000).toISOString())}
          >
            {word}
          </ActionButton>
        ))}
        <ActionButton type="button" className="b s" busy={isPending} onClick={() => mutate(null)}>
          Back to real time
        </ActionButton>
      </div>
      <form {...sending} className="fields narrow">
        <TextInput
          label="New time"
          description="In the store’s time zone"
          type="datetime-local"
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
          error={error ? toProblem(error).message : null}
        />
        <ActionButton type="submit" className="b ink" busy={isPending}>
          Set the clock
        </ActionButton>
      </form>
    </section>
  )
}

function Ledger() {
  const { tenantId, store, nowMs } = usePortal()
  const [reference, setReference] = useState('')
  const wanted = reference.trim()
  const { data, error, refetch } = useQuery({
    queryKey: ['ledger', tenantId, wanted],
    queryFn: async () => {
      const query = { limit: 200, ...(wanted && { reference: wanted }) }
      const params = { path: { tenant_id: tenantId }, query }
      return (await api.GET('/admin/accounts/{tenant_id}/sandbox/ledger', { params })).data
    },
  })
  return (
    <section className="sheet pad" aria-labelledby="ledger">
      <h2 id="ledger">Requests to the carriers</h2>
      <div className="narrow">
        <TextInput
          label="Order"
          description="The order number, such as WC-10471. Leave this field empty to see the first 200 requests across all orders."
          value={reference}
          onChange={(event) => setReference(event.currentTarget.value)}
        />
      </div>
      {error && !data && <ProblemView error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {data?.length === 0 && (
        <p className="dim">{wanted ? 'No requests for this order.' : 'No requests yet.'}</p>
      )}
      {data && data.length > 0 && (
        <Wide label="Requests to the carriers">
          <table className="plain">
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col">Carrier</th>
                <th scope="col">Request</th>
                <th scope="col">Order</th>
                <th scope="col">Result</th>
                <th scope="col">Consignment</th>
              </tr>
            </thead>
            <tbody>
              {data.map((entry, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: entries are only added at the end.
                <tr key={index}>
                  <td>{formatMoment(Date.parse(entry.at), store.time_zone, nowMs())}</td>
                  <td>{entry.carrier}</td>
                  <td>{entry.operation}</td>
                  <td className="mono">{entry.reference}</td>
                  <td>{entry.outcome}</td>
                  <td className="mono">{entry.consignment_number}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Wide>
      )}
    </section>
  )
}
