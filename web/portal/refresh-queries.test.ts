import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueryClient } from '@tanstack/react-query'
import type { Event } from '../shared/api.generated.ts'
import { tell } from './refresh-queries.ts'

const statusChanged = (number: number): Event => ({
  id: `evt_${number}`,
  type: 'delivery.status_changed',
  timestamp: '2026-11-24T09:00:00+11:00',
  sequence: number,
  data: { delivery_id: `dlv_${number}`, store_reference: 'perth' },
})

test('after more changes than are loaded one by one, the list of all days is stale', async () => {
  const queries = new QueryClient()
  const list = ['deliveries', 'demo', {}]
  queries.setQueryData(list, { pages: [{ data: [] }], pageParams: [''] })
  await tell(
    queries,
    'demo',
    Array.from({ length: 21 }, (_, number) => statusChanged(number)),
  )
  assert.equal(queries.getQueryState(list)?.isInvalidated, true)
  queries.clear()
})
