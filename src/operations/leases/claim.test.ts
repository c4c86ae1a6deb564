import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Fixture, testFixture } from '../../../test/fixture.ts'
import { addSources } from '../../bootstrap/due-work-sources.ts'
import type { DueSource } from '../../work/runner.ts'
import { claimMessages } from '../messages/send-messages.ts'

/** Inserts `count` SMS (or emails) of an account that are due. */
async function smsDue({ deps }: Fixture, accountId: string, count: number, kind = 'sms'): Promise<void> {
  await deps.db.query(
    `insert into messages (account_id, message_id, kind, recipient, template, body, status, created_at, expires_at, due_at)
     select $1, $3 || n, $3, '+61491570156', 'driver_note', 'x', 'queued', created_at, 'infinity', '2000-01-01'
     from generate_series(1, $2) as n, (select now() as created_at) as c`,
    [accountId, count, kind],
  )
}

/** The account ids of the messages that `claims` claims of one message each return. */
async function claimedBy({ deps }: Fixture, claims: number): Promise<string[]> {
  const claimed: string[] = []
  for (let n = 0; n < claims; n++) {
    const [message] = await claimMessages(deps, 'sms', 1)
    claimed.push(message?.account_id ?? '')
  }
  return claimed
}

test('an account with much due work does not delay others', async (t) => {
  const fixture = await testFixture(t, { work: false })
  await smsDue(fixture, 'demo', 40)
  await smsDue(fixture, 'acme-byoc', 40)
  const claimed = await claimedBy(fixture, 40)
  // The odds that all come from one account by chance: 1 in 2 to the power of 39.
  assert.deepEqual([...new Set(claimed)].sort(), ['acme-byoc', 'demo'])
})

test('the account with the fewest rows in flight is served first', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const { inFlight } = fixture.deps
  await smsDue(fixture, 'demo', 40)
  await smsDue(fixture, 'acme-byoc', 400)
  inFlight.add(['acme-byoc', 'demo', 'acme-byoc'])
  assert.deepEqual(new Set(await claimedBy(fixture, 40)), new Set(['demo']))
  assert.deepEqual(await claimedBy(fixture, 1), ['acme-byoc'], 'what nobody else wants is not left waiting')
})

test('while one account floods, the next claim serves another', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const { inFlight } = fixture.deps
  await smsDue(fixture, 'acme-byoc', 400)
  for (let claims = 0; claims < 5; claims++) {
    const flood = await claimMessages(fixture.deps, 'sms', 50)
    assert.equal(flood.length, 50)
    inFlight.add(flood.map(({ account_id }) => account_id))
  }
  await smsDue(fixture, 'demo', 3)
  const next = await claimMessages(fixture.deps, 'sms', 50)
  assert.equal(next.filter(({ account_id }) => account_id === 'demo').length, 3)
  assert.equal(next.length, 50, 'and the rest of it is not left empty')
})

test('rows in flight of one source do not delay another source', async (t) => {
  const fixture = await testFixture(t, { work: false })
  await smsDue(fixture, 'demo', 9, 'email')
  await smsDue(fixture, 'demo', 9)
  await smsDue(fixture, 'acme-byoc', 9)
  const sources = new Map<string, DueSource<{ account_id: string }>>()
  const runner = {
    ...fixture.parts.runner,
    add: (source: DueSource<never>) => sources.set(source.name, source as never),
  }
  addSources(runner, fixture.deps, () => 0, null)
  assert.equal((await sources.get('email')!.claim(9, [0, 0], false)).length, 9)
  const claims = [
    await sources.get('sms')!.claim(1, [0, 0], false),
    await sources.get('sms')!.claim(1, [0, 0], false),
  ]
  assert.deepEqual(
    claims
      .flat()
      .map(({ account_id }) => account_id)
      .sort(),
    ['acme-byoc', 'demo'],
  )
})
