import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Delivery } from '../../shared/api.generated.ts'
import { allowedBy } from './allowed.ts'

const of = (id: string, over: Partial<Delivery> = {}) =>
  ({
    id,
    reference: `WC-${id}`,
    store_id: 'here',
    status: 'booked',
    manifest_status: 'ready',
    consignment_number: 'SP1',
    ...over,
  }) as Delivery
const booked = of('1')
const waiting = of('2', { status: 'requested', manifest_status: 'pending' })
const delivered = of('3', { status: 'delivered', manifest_status: 'manifested' })
const elsewhere = of('4', { store_id: 'elsewhere' })

test('a bulk action is available only if each selected row allows it', () => {
  const cases: [name: string, chosen: Delivery[], printable: string[], manifestable: string[]][] = [
    ['none', [], [], []],
    ['a booked delivery', [booked], ['1'], ['1']],
    ['one delivery has no label yet', [booked, waiting], [], []],
    ['one delivery has ended', [booked, delivered], ['1', '3'], []],
    ['one delivery is of another store', [booked, elsewhere], ['1', '4'], []],
  ]
  for (const [name, chosen, printable, manifestable] of cases) {
    const allowed = allowedBy(chosen, 'here')
    assert.deepEqual(
      allowed.printable.map(({ id }) => id),
      printable,
      name,
    )
    assert.deepEqual(allowed.manifestable, manifestable, name)
  }
})
