import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anyone, type Fixture, TUESDAY_TEN_MS, testFixture } from '../../../test/fixture.ts'
import { deliveryRequest } from '../../../test/requests.ts'
import { Refusal } from '../../domain/errors.ts'
import { bookLink, type LinkChoice } from './book-link.ts'
import { createLink } from './create-link.ts'
import { revokeLink } from './links.ts'
import { openLink } from './open-link.ts'

const choice: LinkChoice = {
  deliveryType: 'standard',
  quoteId: null,
  specialInstructions: null,
  authorityToLeave: null,
}

/** A link that a customer has opened: they hold what was read then, even if it has changed since. */
async function opened(fixture: Fixture, reference: string) {
  const { readyForPickupAt, ...request } = deliveryRequest
  const expiresAt = { kind: 'instant', ms: TUESDAY_TEN_MS + 3_600_000 } as const
  const asked = { ...request, reference }
  const made = await createLink(fixture.deps, fixture.demo(), anyone, asked, expiresAt, async () => {})
  return { id: made.id, open: await openLink(fixture.deps, made.link.slice(made.link.lastIndexOf('/') + 1)) }
}

test('a link is checked again at booking, and an ended link books nothing', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const { deps } = fixture
  const cases: [string, (id: string) => Promise<unknown>][] = [
    ['link_revoked', (id) => revokeLink(deps, fixture.demo(), anyone, id)],
    ['link_locked', (id) => deps.db.query('update links set failed_attempts = 5 where link_id = $1', [id])],
    ['link_expired', () => fixture.setClock(TUESDAY_TEN_MS + 3_600_000)],
  ]
  for (const [code, end] of cases) {
    const { id, open } = await opened(fixture, code)
    await end(id)
    await assert.rejects(
      bookLink(deps, { ...open, entry: fixture.demo() }, choice),
      (error) => error instanceof Refusal && error.code === code,
    )
  }
  assert.equal((await deps.db.query('select 1 from deliveries')).rowCount, 0)
})

test('a link books once, even if its delivery was renamed', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const { open } = await opened(fixture, 'CC-1')
  const first = await bookLink(fixture.deps, open, choice)
  assert.equal(first.first, true)
  await fixture.deps.db.query(`update deliveries set reference = 'CC-1b'`)
  const second = await bookLink(fixture.deps, open, choice)
  assert.equal(second.first, false)
  assert.equal(second.delivery.id, first.delivery.id)
  assert.equal((await fixture.deps.db.query('select 1 from deliveries')).rowCount, 1)
})
