import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../shared/api.ts'
import { toProblem } from '../../../shared/problem.ts'
import { ConfirmAction } from '../../confirm-action.tsx'
import { usePortal } from '../../portal.ts'
import { type CarrierJson, type StoredSecret, secretsKey, useCarriers } from './carrier-queries.ts'

type RemoveLoginProps = { carrier: CarrierJson; secrets: ReadonlyMap<string, StoredSecret> }

/** Deletes the carrier's stored credentials, after it has said what can't be booked without them. */
export function RemoveLogin({ carrier, secrets }: RemoveLoginProps) {
  const { tenantId } = usePortal()
  const [asking, setAsking] = useState(false)
  const names = secretsOf(carrier).filter((name) => secrets.has(name))
  // An open dialog stays, with its error: hidden, it would open by itself once a login is stored again.
  if (names.length === 0 && !asking) return null
  return (
    <div className="row-of-buttons">
      <button type="button" className="b s no" onClick={() => setAsking(true)}>
        Remove login
      </button>
      {asking && (
        <ConfirmAction
          title={`Remove the login for ${carrier.name}?`}
          confirmLabel="Remove the login"
          stale={secretsKey(tenantId)}
          work={async () => {
            for (const secret_name of names) {
              const params = { path: { tenant_id: tenantId, secret_name } }
              try {
                await api.DELETE('/admin/accounts/{tenant_id}/secrets/{secret_name}', { params })
              } catch (error) {
                // Removed by someone else, or by an earlier request whose response was lost.
                if (toProblem(error).code !== 'not_found') throw error
              }
            }
          }}
          onClose={() => setAsking(false)}
        >
          <Consequences carrier={carrier} names={names} />
        </ConfirmAction>
      )}
    </div>
  )
}

function Consequences({ carrier, names }: { carrier: CarrierJson; names: readonly string[] }) {
  const { tenantId } = usePortal()
  const carriers = useCarriers()
  const { data: switches } = useQuery({
    queryKey: ['carriers', tenantId],
    queryFn: async () =>
      (await api.GET('/{tenant_id}/carriers', { params: { path: { tenant_id: tenantId } } })).data,
  })
  const others = carriers.filter(
    (one) => one.provider !== carrier.provider && secretsOf(one).some((name) => names.includes(name)),
  )
  const all = [carrier, ...others]
  const isOn = switches?.find(({ provider }) => provider === carrier.provider)?.on === true
  return (
    <div className="fields">
      {all.map(({ provider, name, services }) => (
        <p key={provider}>
          Until you enter a login again, we won’t be able to book{' '}
          {NAMES.format(services.map(({ service }) => service))} with {name}.
        </p>
      ))}
      <p>
        We also won’t be able to track or cancel deliveries that are already with{' '}
        {NAMES.format(all.map(({ name }) => name))}. We’ll remove the login straight away, and Undo won’t
        bring it back.
      </p>
      {isOn && (
        <p className="warn">
          {carrier.name} is still on. If you don’t want to use this carrier any more, switch it off first.
        </p>
      )}
    </div>
  )
}

const NAMES = new Intl.ListFormat('en-AU', { type: 'disjunction' })

function secretsOf({ credentials }: CarrierJson): string[] {
  return Object.values(credentials ?? {}).flatMap((one) => one?.secret ?? [])
}
