import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { STATUS_WORDS } from '../../../src/domain/delivery/status-labels.ts'
import { api } from '../../shared/api.ts'
import { Loading } from '../../shared/loading.tsx'
import { ProblemView } from '../../shared/problem-view.tsx'
import { usePortal } from '../portal.ts'
import { Wide } from '../wide.tsx'

/** A carrier's bookings that it has not collected, oldest first. */
export function Uncollected({ provider }: { provider: string }) {
  const { tenantId, stores } = usePortal()
  const { data, error, refetch } = useQuery({
    queryKey: ['carriers', tenantId, provider],
    queryFn: async () => {
      const params = { path: { tenant_id: tenantId, provider } }
      return (await api.GET('/{tenant_id}/carriers/{provider}', { params })).data
    },
    refetchInterval: 10_000,
  })
  if (error && !data) return <ProblemView error={error} retry={refetch} />
  if (!data) return <Loading />
  return (
    <>
      {data.pickup_url && (
        <p className="dim wrap">
          {data.name} gets its deliveries from <span className="mono">{data.pickup_url}</span>. Anyone who has
          this address can read those deliveries.
        </p>
      )}
      <Wide label={`Deliveries that ${data.name} hasn’t collected`}>
        <table className="plain">
          <thead>
            <tr>
              <th scope="col">Order</th>
              <th scope="col">Store</th>
              <th scope="col">Status</th>
              <th scope="col">Consignment</th>
              <th scope="col">Note</th>
            </tr>
          </thead>
          <tbody>
            {data.uncollected.map((one) => (
              <tr key={one.delivery_id}>
                <td>
                  <Link to="/deliveries/$deliveryId" params={{ deliveryId: one.delivery_id }}>
                    {one.reference}
                  </Link>
                </td>
                <td>{stores.find(({ id }) => id === one.store_id)?.name ?? one.store_id}</td>
                <td>{STATUS_WORDS[one.status].clerk}</td>
                <td className="mono">{one.consignment_number}</td>
                <td>
                  {one.replanning ? 'Being moved to another carrier' : one.manifested ? 'On a manifest' : ''}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
    </>
  )
}
