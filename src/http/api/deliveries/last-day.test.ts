import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApi } from '../../../../test/api.ts'
import { exportAccount } from '../../../operations/accounts/apply-account.ts'

test('the last day that a date can name is accepted in every time zone', async (t) => {
  const { call, operator, fixture } = await testApi(t, { work: false })
  const { document } = await exportAccount(fixture.deps, 'demo')
  const reads = [
    'deliveries?on_day=9999-12-31',
    'deliveries?ended_to=9999-12-31&ended_from=9999-12-01',
    'deliveries?created_to=9999-12-31T23:59:59.999&created_from=9999-12-31T23:59:59.999',
    'insights?to=9999-12-31',
    'insights/deliveries?to=9999-12-31',
    'deliveries?on_day=1970-01-01',
    'insights?to=1970-01-01',
  ]
  const failed: string[] = []
  for (const time_zone of ['UTC', 'America/New_York', 'Pacific/Kiritimati']) {
    const put = await operator('PUT /admin/accounts/demo', { body: { ...document, time_zone } })
    assert.ok(put.status < 300, put.text)
    await fixture.deps.accounts.refresh()
    for (const read of reads) {
      const { status, text } = await call(`GET /demo/${read}`)
      if (status !== 200) failed.push(`${time_zone} ${read}: ${text}`)
    }
  }
  assert.deepEqual(failed, [])
})
