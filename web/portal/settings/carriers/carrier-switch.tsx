import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionButton } from '../../../shared/action-button.tsx'
import { api } from '../../../shared/api.ts'
import { ProblemView } from '../../../shared/problem-view.tsx'
import { SwitchOff } from '../../account/switch-off.tsx'
import { FieldError } from '../../field-error.tsx'
import { usePortal } from '../../portal.ts'

/** On or off at once, without a change of the account document. */
export function CarrierSwitch({ provider }: { provider: string }) {
  const { tenantId } = usePortal()
  const queries = useQueryClient()
  const [asking, setAsking] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['carriers', tenantId],
    queryFn: async () =>
      (await api.GET('/{tenant_id}/carriers', { params: { path: { tenant_id: tenantId } } })).data,
  })
  const switchOn = useMutation({
    mutationFn: () => {
      const params = { path: { tenant_id: tenantId, provider } }
      return api.PUT('/{tenant_id}/carriers/{provider}/switch', { params, body: { on: true } })
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['carriers', tenantId] }),
  })
  if (error && !data) return <ProblemView error={error} retry={refetch} />
  const carrier = data?.find((one) => one.provider === provider)
  if (!carrier) return null
  return (
    <>
      <div className="row-of-buttons">
        {carrier.on ? (
          <button type="button" className="b s no" onClick={() => setAsking(true)}>
            Switch off
          </button>
        ) : (
          <ActionButton className="b s" busy={switchOn.isPending} onClick={() => switchOn.mutate()}>
            Switch on
          </ActionButton>
        )}
        <span className="dim">
          {carrier.on ? 'This carrier is on.' : 'This carrier is off. It gets no new deliveries.'}
        </span>
      </div>
      <FieldError error={switchOn.error} />
      {asking && <SwitchOff carrier={carrier} onClose={() => setAsking(false)} />}
    </>
  )
}
