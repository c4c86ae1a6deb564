import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { WebhookEndpoint } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { count } from '../../shared/count.ts'
import { isoLocal, toInstantMs } from '../../shared/times.ts'
import { ConfirmAction } from '../confirm-action.tsx'
import { FieldError } from '../field-error.tsx'
import { usePortal } from '../portal.ts'

const AGAIN = '/{tenant_id}/webhook-endpoints/{endpoint_id}/replay'

/** Sends all events since a time again, after showing how many there are. */
export function Replay({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose(): void }) {
  const { tenantId, store, nowMs } = usePortal()
  const [local, setLocal] = useState(() => isoLocal(nowMs() - 3_600_000, store.time_zone))
  const fromMs = toInstantMs(local, store.time_zone)
  const params = { path: { tenant_id: tenantId, endpoint_id: endpoint.id } }
  // An unfinished field may hold no time: then the server reports the error.
  const from = Number.isNaN(fromMs) ? local : new Date(fromMs).toISOString()
  return (
    <ConfirmAction
      title="Send events again"
      confirmLabel="Send again"
      onClose={onClose}
      stale={['webhooks', tenantId]}
      work={() => api.POST(AGAIN, { params, body: { from } })}
    >
      <TextInput
        label="Events since"
        description={`Local time at ${store.name}. Each event keeps its webhook-id.`}
        type="datetime-local"
        value={local}
        onChange={(event) => setLocal(event.currentTarget.value)}
      />
      <HowMany endpointId={endpoint.id} from={from} />
    </ConfirmAction>
  )
}

function HowMany({ endpointId, from }: { endpointId: string; from: string }) {
  const { tenantId } = usePortal()
  const { data, error } = useQuery({
    queryKey: ['replay-count', tenantId, endpointId, from],
    // Counted again at each use, because new events arrive.
    gcTime: 0,
    queryFn: async () => {
      const params = { path: { tenant_id: tenantId, endpoint_id: endpointId } }
      const { data } = await api.POST(AGAIN, { params, body: { from, dry_run: true } })
      return 'count' in data ? data : null
    },
  })
  if (error) return <FieldError error={error} />
  return (
    <p role="status" className="below">
      {data ? <b>{howMany(data)}</b> : 'Counting…'}
    </p>
  )
}

function howMany({ count: events, at_least }: { count: number; at_least: boolean }): string {
  if (events === 0) return 'There have been no events for this webhook since the time above.'
  if (at_least) return `We’ll send at least ${count(events, 'event')} again.`
  return `We’ll send ${count(events, 'event')} again.`
}
