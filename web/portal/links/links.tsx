import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ActionButton } from '../../shared/action-button.tsx'
import type { Link as BookingLink } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { ConfirmAction } from '../confirm-action.tsx'
import { FieldError } from '../field-error.tsx'
import { isRejection, newIdempotencyKey } from '../idempotency-key.ts'
import { type Column, ListTable } from '../list-table.tsx'
import { Paged } from '../paged.tsx'
import { usePortal } from '../portal.ts'
import { Timestamp } from '../timestamp.tsx'
import { useTitle } from '../use-title.ts'
import { LinkAddress } from './link-address.tsx'
import { linkState } from './link-state.ts'
import './links.css'

/** Links that customers book through; the API creates them, staff see their state. */
export function Links() {
  const { tenantId } = usePortal()
  useTitle('Links')
  const [revoking, setRevoking] = useState<BookingLink | null>(null)
  const [copying, setCopying] = useState<BookingLink | null>(null)
  const path = { tenant_id: tenantId }
  return (
    <>
      <div className="head">
        <h1>Links</h1>
        <span className="dim">
          A link lets a customer book a delivery for an order that they were going to pick up.
        </span>
      </div>
      <Paged
        queryKey={['links', tenantId]}
        everyMs={10_000}
        read={(after) => api.GET('/{tenant_id}/links', { params: { path, query: after ? { after } : {} } })}
        empty={
          <>
            <h2>No links yet.</h2>
            <p>Your online shop creates links through the API, and we send them to customers.</p>
          </>
        }
      >
        {(links) => <LinkTable links={links} copy={setCopying} revoke={setRevoking} />}
      </Paged>
      {copying && <LinkAddress link={copying} onClose={() => setCopying(null)} />}
      {revoking && (
        <ConfirmAction
          title={`Revoke the link for ${revoking.reference}?`}
          confirmLabel="Revoke it"
          onClose={() => setRevoking(null)}
          stale={['links', tenantId]}
          work={() =>
            api.DELETE('/{tenant_id}/links/{link_id}', {
              params: { path: { ...path, link_id: revoking.id } },
            })
          }
        >
          The customer’s link will stop working. Your online shop can create a new one at any time.
        </ConfirmAction>
      )}
    </>
  )
}

type LinkTableProps = {
  links: readonly BookingLink[]
  copy(link: BookingLink): void
  revoke(link: BookingLink): void
}

function LinkTable({ links, copy, revoke }: LinkTableProps) {
  const { stores, store } = usePortal()
  const storeOf = (link: BookingLink) =>
    stores.find(({ reference }) => reference === link.store_reference) ?? store
  const columns: Column<BookingLink>[] = [
    { word: 'Order', cell: ({ reference }) => <b>{reference}</b> },
    { word: 'Store', cell: (link) => storeOf(link).name },
    { word: 'Status', look: 'said', cell: (link) => <State link={link} zone={storeOf(link).time_zone} /> },
    { word: 'Created', cell: (link) => <Timestamp at={link.created_at} zone={storeOf(link).time_zone} /> },
    {
      word: 'Valid until',
      cell: (link) =>
        link.expires_at ? <Timestamp at={link.expires_at} zone={storeOf(link).time_zone} /> : 'No expiry',
    },
    { word: null, cell: (link) => <Acts link={link} copy={copy} revoke={revoke} /> },
  ]
  return <ListTable label="Links" rows={links} keyOf={({ id }) => id} columns={columns} />
}

function State({ link, zone }: { link: BookingLink; zone: string }) {
  const { word, at, why, wrong } = linkState(link)
  return (
    <>
      <span className={wrong && 'k-stop notice'}>{word}</span>
      {at && (
        <>
          {' '}
          <Timestamp at={at} zone={zone} />
        </>
      )}
      {why && '.'}
      {why && <span className="dim"> {why}</span>}
    </>
  )
}

/** The actions for one link. A link that is over has none. */
function Acts({ link, copy, revoke }: Omit<LinkTableProps, 'links'> & { link: BookingLink }) {
  const { tenantId } = usePortal()
  const queries = useQueryClient()
  const { reference, delivery_id, status } = link
  const [key, setKey] = useState(newIdempotencyKey)
  const send = useMutation({
    mutationFn: () => {
      const params = { path: { tenant_id: tenantId, link_id: link.id } }
      return api.POST('/{tenant_id}/links/{link_id}/send', { params, idempotencyKey: key })
    },
    onSettled: (_, error) => {
      if (!error || isRejection(error)) setKey(newIdempotencyKey())
      return queries.invalidateQueries({ queryKey: ['links', tenantId] })
    },
  })
  return (
    <>
      <div className="row-of-buttons tight">
        {delivery_id && (
          <Link
            to="/deliveries/$deliveryId"
            params={{ deliveryId: delivery_id }}
            className="b s"
            aria-label={`Delivery for ${reference}`}
          >
            Delivery
          </Link>
        )}
        {status === 'open' && (
          <>
            <button
              type="button"
              className="b s"
              aria-label={`Copy the link for ${reference}`}
              onClick={() => copy(link)}
            >
              Copy
            </button>
            <ActionButton
              type="button"
              className="b s"
              busy={send.isPending}
              aria-label={`Send again: the link for ${reference}`}
              onClick={() => send.mutate()}
            >
              Send again
            </ActionButton>
            <button
              type="button"
              className="b s no"
              aria-label={`Revoke the link for ${reference}`}
              onClick={() => revoke(link)}
            >
              Revoke
            </button>
          </>
        )}
      </div>
      <FieldError error={send.error} />
      {send.isSuccess && (
        <p role="status" className="dim">
          We’re sending the customer the same link again.
        </p>
      )}
    </>
  )
}
