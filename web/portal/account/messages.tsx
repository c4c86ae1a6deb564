import { Select } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { MESSAGE_STATUSES, type MessageStatus } from '../../../src/domain/messages/message.ts'
import { answerOf, api } from '../../shared/api.ts'
import { Loading } from '../../shared/loading.tsx'
import { ProblemView } from '../../shared/problem-view.tsx'
import { momentWords } from '../../shared/times.ts'
import { usePortal } from '../portal.ts'
import { useTitle } from '../use-title.ts'
import { Wide } from '../wide.tsx'

const WORDS: Readonly<Record<MessageStatus, string>> = {
  queued: 'Waiting',
  sent: 'Sent',
  failed: 'Not sent',
  expired: 'Too late',
  kept: 'Kept here: nothing is set up to send it',
  suppressed: 'Not wished',
}

/** The outbox: to whom, as it was worded, sent or why not. */
export function Messages() {
  const { tenantId, store, nowMs } = usePortal()
  useTitle('Messages')
  const [status, setStatus] = useState<MessageStatus | ''>('')
  const { data, error, refetch, fetchNextPage, hasNextPage } = useInfiniteQuery({
    queryKey: ['messages', tenantId, status],
    initialPageParam: '',
    queryFn: ({ pageParam }) => {
      const query = { ...(status && { status }), ...(pageParam && { after: pageParam }) }
      return answerOf(api.GET('/{tenant_id}/messages', { params: { path: { tenant_id: tenantId }, query } }))
    },
    getNextPageParam: ({ pagination }) => pagination.next,
  })
  const all = data?.pages.flatMap((page) => page.data)
  return (
    <>
      <div className="head">
        <h1>Messages</h1>
        <Select
          aria-label="State"
          value={status}
          onChange={(value) => setStatus((value ?? '') as MessageStatus | '')}
          data={[
            { value: '', label: 'All' },
            ...MESSAGE_STATUSES.map((one) => ({ value: one, label: WORDS[one] })),
          ]}
        />
      </div>
      {error && !data && <ProblemView error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {all?.length === 0 && (
        <div className="state">
          <h2>No messages.</h2>
          <p>Customers hear when their delivery is booked, on the road and delivered.</p>
        </div>
      )}
      {all && all.length > 0 && (
        <Wide label="Messages">
          <table className="list-table">
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">To</th>
                <th scope="col">What</th>
                <th scope="col">State</th>
                <th scope="col">About</th>
              </tr>
            </thead>
            <tbody>
              {all.map((message) => (
                <tr key={message.id}>
                  <td>{momentWords(Date.parse(message.created_at), store.time_zone, nowMs())}</td>
                  <td className="wrap">{message.to}</td>
                  <td className="said">
                    {message.subject && <b>{message.subject}</b>}{' '}
                    {message.text ?? message.template.replaceAll('_', ' ')}
                  </td>
                  <td>
                    {WORDS[message.status]}
                    {message.reason && <span className="dim"> {message.reason}</span>}
                  </td>
                  <td>
                    {message.delivery_id && (
                      <Link to="/deliveries/$deliveryId" params={{ deliveryId: message.delivery_id }}>
                        its delivery
                      </Link>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Wide>
      )}
      {hasNextPage && (
        <button type="button" className="b older" onClick={() => fetchNextPage()}>
          Older ones
        </button>
      )}
    </>
  )
}
