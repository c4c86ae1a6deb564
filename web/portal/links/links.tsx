import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Link as BookingLink } from '../../shared/api.generated.ts'
import { answerOf, api } from '../../shared/api.ts'
import { AskFirst } from '../ask-first.tsx'
import { type Column, ListTable } from '../list-table.tsx'
import { Moment } from '../moment.tsx'
import { Paged } from '../paged.tsx'
import { usePortal } from '../portal.ts'
import { useTitle } from '../use-title.ts'

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
  const path = { tenant_id: tenantId }
  return (
    <>
      <div className="head">
        <h1>Links</h1>
        <span className="dim">
          A link lets a customer choose a delivery for an order they meant to fetch.
        </span>
      </div>
      <Paged
        queryKey={['links', tenantId]}
        read={(after) =>
          answerOf(api.GET('/{tenant_id}/links', { params: { path, query: after ? { after } : {} } }))
        }
        empty={
          <>
            <h2>No links yet.</h2>
            <p>Your shop makes them by the API, and Drover sends them to the customer.</p>
          </>
        }
      >
        {(links) => <LinkTable links={links} revoke={setRevoking} />}
      </Paged>
      {revoking && (
        <AskFirst
          title={`Revoke the link of ${revoking.reference}?`}
          yes="Revoke it"
          onClose={() => setRevoking(null)}
          stale={['links', tenantId]}
          work={() =>
            answerOf(
              api.DELETE('/{tenant_id}/links/{link_id}', {
                params: { path: { ...path, link_id: revoking.id } },
              }),
            )
          }
        >
          The customer’s link opens nothing any more. A new one can be made at any time.
        </AskFirst>
      )}
    </>
  )
}

type LinkTableProps = { links: readonly BookingLink[]; revoke(link: BookingLink): void }

function LinkTable({ links, revoke }: LinkTableProps) {
  const { stores, store } = usePortal()
  const storeOf = (link: BookingLink) =>
    stores.find(({ reference }) => reference === link.store_reference) ?? store
  const columns: Column<BookingLink>[] = [
    { word: 'Order', cell: ({ reference }) => <b>{reference}</b> },
    { word: 'Store', cell: (link) => storeOf(link).name },
    { word: 'State', cell: ({ status }) => WORDS[status] ?? status },
    { word: 'Made', cell: (link) => <Moment at={link.created_at} zone={storeOf(link).time_zone} /> },
    {
      word: 'Good until',
      cell: (link) =>
        link.expires_at ? <Moment at={link.expires_at} zone={storeOf(link).time_zone} /> : 'Always',
    },
    {
      word: null,
      cell: (link) => (
        <>
          {link.delivery_id && (
            <Link
              to="/deliveries/$deliveryId"
              params={{ deliveryId: link.delivery_id }}
              className="b s"
              aria-label={`Delivery of ${link.reference}`}
            >
              Delivery
            </Link>
          )}
          {link.status === 'open' && (
            <button
              type="button"
              className="b s no"
              aria-label={`Revoke the link of ${link.reference}`}
              onClick={() => revoke(link)}
            >
              Revoke
            </button>
          )}
        </>
      ),
    },
  ]
  return <ListTable label="Links" rows={links} keyOf={({ id }) => id} columns={columns} />
}
