import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Link as BookingLink } from '../../shared/api.generated.ts'
import { answerOf, api } from '../../shared/api.ts'
import { Dialog } from '../../shared/dialog.tsx'
import { Loading } from '../../shared/loading.tsx'
import { problemOf } from '../../shared/problem.ts'
import { ProblemView } from '../../shared/problem-view.tsx'
import { momentWords } from '../../shared/times.ts'
import { usePortal } from '../portal.ts'
import { useTitle } from '../use-title.ts'
import { Wide } from '../wide.tsx'

/** What a link's state means to store staff. */
const WORDS: Readonly<Record<string, string>> = {
  open: 'Waiting for the customer',
  booked: 'Booked',
  locked: 'Locked: five wrong numbers',
  expired: 'Expired',
  revoked: 'Revoked',
}

/** Links that customers choose a delivery by; the API makes them, staff see what became of them. */
export function Links() {
  const { tenantId } = usePortal()
  useTitle('Links')
  const [revoking, setRevoking] = useState<BookingLink | null>(null)
  const { data, error, refetch, fetchNextPage, hasNextPage } = useInfiniteQuery({
    queryKey: ['links', tenantId],
    initialPageParam: '',
    queryFn: ({ pageParam }) =>
      answerOf(
        api.GET('/{tenant_id}/links', {
          params: { path: { tenant_id: tenantId }, query: pageParam ? { after: pageParam } : {} },
        }),
      ),
    getNextPageParam: ({ pagination }) => pagination.next,
  })
  const all = data?.pages.flatMap((page) => page.data)
  return (
    <>
      <div className="head">
        <h1>Links</h1>
        <span className="dim">
          A link lets a customer choose a delivery for an order they meant to fetch.
        </span>
      </div>
      {error && <ProblemView error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {all?.length === 0 && (
        <div className="state">
          <h2>No links yet.</h2>
          <p>Your shop makes them by the API, and Drover sends them to the customer.</p>
        </div>
      )}
      {all && all.length > 0 && (
        <Wide label="Links">
          <table className="list-table">
            <thead>
              <tr>
                <th scope="col">Order</th>
                <th scope="col">Store</th>
                <th scope="col">State</th>
                <th scope="col">Made</th>
                <th scope="col">Good until</th>
                <th scope="col">
                  <span className="vh">What can be done</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {all.map((link) => (
                <Line key={link.id} link={link} revoke={() => setRevoking(link)} />
              ))}
            </tbody>
          </table>
        </Wide>
      )}
      {hasNextPage && (
        <button type="button" className="b" onClick={() => fetchNextPage()}>
          Older ones
        </button>
      )}
      {revoking && <Revoke link={revoking} onClose={() => setRevoking(null)} />}
    </>
  )
}

function Line({ link, revoke }: { link: BookingLink; revoke(): void }) {
  const { stores, store, nowMs } = usePortal()
  const { reference, store_reference, status, created_at, expires_at, delivery_id } = link
  const at = stores.find((one) => one.reference === store_reference) ?? store
  const said = (time: string) => (
    <time dateTime={time}>{momentWords(Date.parse(time), at.time_zone, nowMs())}</time>
  )
  return (
    <tr>
      <td>
        <b>{reference}</b>
      </td>
      <td>{at.name}</td>
      <td>{WORDS[status] ?? status}</td>
      <td>{said(created_at)}</td>
      <td>{expires_at ? said(expires_at) : 'Always'}</td>
      <td>
        {delivery_id && (
          <Link
            to="/deliveries/$deliveryId"
            params={{ deliveryId: delivery_id }}
            className="b s"
            aria-label={`Delivery of ${reference}`}
          >
            Delivery
          </Link>
        )}
        {status === 'open' && (
          <button
            type="button"
            className="b s no"
            aria-label={`Revoke the link of ${reference}`}
            onClick={revoke}
          >
            Revoke
          </button>
        )}
      </td>
    </tr>
  )
}

function Revoke({ link, onClose }: { link: BookingLink; onClose(): void }) {
  const { tenantId } = usePortal()
  const queries = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      answerOf(
        api.DELETE('/{tenant_id}/links/{link_id}', {
          params: { path: { tenant_id: tenantId, link_id: link.id } },
        }),
      ),
    onSuccess: onClose,
    onSettled: () => queries.invalidateQueries({ queryKey: ['links', tenantId] }),
  })
  return (
    <Dialog title={`Revoke the link of ${link.reference}?`} onClose={onClose}>
      <p className="dim">The customer’s link opens nothing any more. A new one can be made at any time.</p>
      {error && (
        <p role="alert" className="field-error">
          {problemOf(error).message}
        </p>
      )}
      <div className="row-of-buttons">
        <button type="button" className="b no" disabled={isPending} onClick={() => mutate()}>
          Revoke it
        </button>
        <button type="button" className="b" onClick={onClose}>
          Keep it
        </button>
      </div>
    </Dialog>
  )
}
