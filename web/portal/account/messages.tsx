import { Select } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { MESSAGE_STATUSES, type MessageStatus } from '../../../src/domain/messages/message.ts'
import type { Message } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { type Column, ListTable } from '../list-table.tsx'
import { Paged } from '../paged.tsx'
import { usePortal } from '../portal.ts'
import { Timestamp } from '../timestamp.tsx'
import { useTitle } from '../use-title.ts'

const TEXTS: Readonly<Record<MessageStatus, string>> = {
  queued: 'Waiting',
  sent: 'Sent',
  failed: 'Not sent: sending failed',
  expired: 'Not sent: too late',
  no_channel: 'Not sent: sending isn’t set up',
  suppressed: 'Deliberately not sent',
}

const COLUMNS: readonly Column<Message>[] = [
  { word: 'When', cell: ({ created_at }) => <Timestamp at={created_at} /> },
  { word: 'To', cell: ({ to }) => to },
  {
    word: 'Message',
    look: 'said',
    cell: ({ subject, text, template }) => (
      <>
        {subject && <b>{subject}</b>} {text ?? template.replaceAll('_', ' ')}
      </>
    ),
  },
  {
    word: 'Status',
    cell: ({ status, reason }) => (
      <>
        {TEXTS[status]}
        {reason && '.'}
        {reason && <span className="dim"> {reason}</span>}
      </>
    ),
  },
  {
    word: 'Delivery',
    cell: ({ delivery_id }) =>
      delivery_id && (
        <Link to="/deliveries/$deliveryId" params={{ deliveryId: delivery_id }}>
          Open delivery
        </Link>
      ),
  },
]

/** The outbox: recipient, text, and whether it was sent or why not. */
export function Messages() {
  const { tenantId } = usePortal()
  useTitle('Messages')
  const [status, setStatus] = useState<MessageStatus | ''>('')
  const path = { tenant_id: tenantId }
  return (
    <>
      <div className="head">
        <h1>Messages</h1>
        <Select
          aria-label="Status"
          value={status}
          onChange={(value) => setStatus((value ?? '') as MessageStatus | '')}
          data={[
            { value: '', label: 'All' },
            ...MESSAGE_STATUSES.map((one) => ({ value: one, label: TEXTS[one] })),
          ]}
        />
      </div>
      <Paged
        queryKey={['messages', tenantId, status]}
        read={(after) => {
          const query = { ...(status && { status }), ...(after && { after }) }
          return api.GET('/{tenant_id}/messages', { params: { path, query } })
        }}
        empty={
          <>
            <h2>{status ? 'No messages have this status.' : 'No messages yet.'}</h2>
            {!status && (
              <p>Customers get a message when their delivery is booked, on its way or delivered.</p>
            )}
          </>
        }
      >
        {(messages) => (
          <ListTable label="Messages" rows={messages} keyOf={({ id }) => id} columns={COLUMNS} />
        )}
      </Paged>
    </>
  )
}
