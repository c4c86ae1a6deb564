import { TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionButton } from '../../shared/action-button.tsx'
import type { WebhookEndpoint } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { count } from '../../shared/count.ts'
import { Loading } from '../../shared/loading.tsx'
import { ProblemView } from '../../shared/problem-view.tsx'
import { formatMoment } from '../../shared/times.ts'
import { ConfirmAction } from '../confirm-action.tsx'
import { FieldError } from '../field-error.tsx'
import { isRejection, newIdempotencyKey, toMessage } from '../idempotency-key.ts'
import { sentByButton } from '../on-submit.ts'
import { usePortal } from '../portal.ts'
import { useTitle } from '../use-title.ts'
import { Attempts } from './attempts.tsx'
import { Replay } from './replay.tsx'
import { SecretOnce } from './secret-once.tsx'

type Secret = { url: string; secret: string }

/** The webhook endpoints, each with its last attempts and a button to send events again. */
export function Webhooks() {
  const { tenantId } = usePortal()
  useTitle('Webhooks')
  const [secret, setSecret] = useState<Secret | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: ['webhooks', tenantId],
    queryFn: async () =>
      (await api.GET('/{tenant_id}/webhook-endpoints', { params: { path: { tenant_id: tenantId } } })).data,
    refetchInterval: 10_000,
  })
  return (
    <>
      <div className="head">
        <h1>Webhooks</h1>
        <span className="dim">
          We sign each event, send each delivery’s events in order, and retry for up to 3 days.
        </span>
      </div>
      {error && !data && <ProblemView error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {data?.length === 0 && (
        <div className="state">
          <h2>No webhooks yet.</h2>
          <p>You can still read every event in the API’s event feed.</p>
        </div>
      )}
      <div className="stack-of-cards">
        {data?.map((endpoint) => (
          <Endpoint key={endpoint.id} endpoint={endpoint} show={setSecret} />
        ))}
        <AddEndpoint show={setSecret} />
      </div>
      {secret && (
        <SecretOnce
          title="Signing secret"
          lines={[
            ['Address', secret.url],
            ['Secret', secret.secret],
          ]}
          onClose={() => setSecret(null)}
        />
      )}
    </>
  )
}

type Asking = 'replay' | 'rotate' | 'remove' | null

function Endpoint({ endpoint, show }: { endpoint: WebhookEndpoint; show(secret: Secret): void }) {
  const { tenantId, store, nowMs } = usePortal()
  const queries = useQueryClient()
  const [asking, setAsking] = useState<Asking>(null)
  const [rotationKey, setRotationKey] = useState(newIdempotencyKey)
  const params = { path: { tenant_id: tenantId, endpoint_id: endpoint.id } }
  const status = useMutation({
    mutationFn: (to: 'active' | 'paused') =>
      api.PATCH('/{tenant_id}/webhook-endpoints/{endpoint_id}', { params, body: { status: to } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['webhooks', tenantId] }),
  })
  const at = (time: string) => formatMoment(Date.parse(time), store.time_zone, nowMs())
  const { url, event_types, pending_events, paused_at, paused_reason, failing_since } = endpoint
  return (
    <section className="sheet pad" aria-label={url}>
      <h2 className="mono">{url}</h2>
      <p className="dim">
        {event_types ? `Gets these events: ${event_types.join(', ')}` : 'Gets every event'}.{' '}
        {pending_events === 0
          ? 'No events are waiting to be sent.'
          : `${count(pending_events, 'event is', 'events are')} waiting to be sent.`}
      </p>
      {endpoint.status === 'paused' && (
        <p className="k-stop notice">
          Paused{paused_at && ` since ${at(paused_at)}`}. {paused_reason}
        </p>
      )}
      {failing_since && endpoint.status === 'active' && (
        <p className="k-stop notice">This address hasn’t accepted any events since {at(failing_since)}.</p>
      )}
      <Attempts endpointId={endpoint.id} />
      <FieldError error={status.error} />
      <div className="row-of-buttons">
        <button type="button" className="b s" onClick={() => setAsking('replay')}>
          Send again
        </button>
        <ActionButton
          type="button"
          className="b s"
          busy={status.isPending}
          onClick={() => status.mutate(endpoint.status === 'active' ? 'paused' : 'active')}
        >
          {endpoint.status === 'active' ? 'Pause' : 'Resume'}
        </ActionButton>
        <button type="button" className="b s" onClick={() => setAsking('rotate')}>
          New secret
        </button>
        <button type="button" className="b s no" onClick={() => setAsking('remove')}>
          Remove
        </button>
      </div>
      {asking === 'replay' && <Replay endpoint={endpoint} onClose={() => setAsking(null)} />}
      {asking === 'rotate' && (
        <ConfirmAction
          title="Make a new signing secret?"
          confirmLabel="Make a new secret"
          onClose={() => setAsking(null)}
          work={async () => {
            const of = '/{tenant_id}/webhook-endpoints/{endpoint_id}/rotate-secret'
            try {
              const { data } = await api.POST(of, { params, idempotencyKey: rotationKey })
              setRotationKey(newIdempotencyKey())
              show({ url, secret: data.secret })
            } catch (error) {
              if (isRejection(error)) setRotationKey(newIdempotencyKey())
              throw error
            }
          }}
        >
          We’ll sign every event with the new secret. For 24 hours we’ll sign with the old one too, so that
          you have time to update the program that receives our events.
        </ConfirmAction>
      )}
      {asking === 'remove' && (
        <ConfirmAction
          title={`Remove ${url}?`}
          confirmLabel="Remove it"
          onClose={() => setAsking(null)}
          stale={['webhooks', tenantId]}
          work={() => api.DELETE('/{tenant_id}/webhook-endpoints/{endpoint_id}', { params })}
        >
          We’ll stop sending events to this address, including any that are still waiting.
        </ConfirmAction>
      )}
    </section>
  )
}

function AddEndpoint({ show }: { show(secret: Secret): void }) {
  const { tenantId } = usePortal()
  const queries = useQueryClient()
  const [url, setUrl] = useState('')
  const [key, setKey] = useState(newIdempotencyKey)
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () =>
      (
        await api.POST('/{tenant_id}/webhook-endpoints', {
          params: { path: { tenant_id: tenantId } },
          body: { url: url.trim() },
          idempotencyKey: key,
        })
      ).data,
    onSettled: (_, error) => {
      if (!error || isRejection(error)) setKey(newIdempotencyKey())
      // After an error too: the webhook may exist although the response was lost.
      void queries.invalidateQueries({ queryKey: ['webhooks', tenantId] })
    },
    onSuccess: ({ secret }) => {
      show({ url, secret })
      setUrl('')
    },
  })
  const sending = sentByButton(() => mutate())
  return (
    <section className="sheet pad" aria-labelledby="add-endpoint">
      <h2 id="add-endpoint">Add a webhook</h2>
      <form {...sending} className="fields narrow">
        <TextInput
          label="Address"
          description="A public address that starts with https://, such as https://shop.example/drover-events"
          type="url"
          required
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
          error={error ? toMessage(error) : null}
        />
        <ActionButton type="submit" className="b ink" busy={isPending}>
          Add
        </ActionButton>
      </form>
    </section>
  )
}
