import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import type { DeliveryRequest } from '../../src/domain/delivery/request.ts'
import { applyAccount } from '../../src/operations/apply-account.ts'
import { createDelivery } from '../../src/operations/create-delivery.ts'
import { deliveryRequest, requestParcel, timestamp } from '../requests.ts'
import { anyone, testWorld, WORLD_SECRET_KEY, type World } from '../world.ts'
import type { CrashOrder } from './crash-child.ts'
import { stepped } from './stepped.ts'
import { doWork, type Work } from './work.ts'

/** One carrier of every nature. */
const NATURES = ['swiftly', 'southern', 'haul'] as const
type Nature = (typeof NATURES)[number]

type Situation = {
  name: string
  natures: readonly Nature[]
  fate: string
  /** What others did before. `die`: they died after that step. */
  before: readonly { task: Work['task']; dieAfterStep?: string }[]
  task: Work['task']
  /** Death before this step leaves what another situation has tried already. */
  fromStep?: string
}

const SITUATIONS: readonly Situation[] = [
  { name: 'a first booking', natures: NATURES, fate: '', before: [], task: 'turn' },
  {
    name: 'a booking without an answer',
    natures: NATURES,
    fate: '-lost-answer',
    before: [],
    task: 'turn',
    fromStep: 'carrier books',
  },
  {
    name: 'a refused booking',
    natures: ['southern'],
    fate: '-rejected',
    before: [],
    task: 'turn',
    fromStep: 'carrier books',
  },
  {
    name: 'settling a booking that stands',
    natures: ['swiftly', 'southern'],
    fate: '-lost-answer',
    before: [{ task: 'turn' }],
    task: 'turn',
  },
  {
    name: 'taking over from a process that died before its call',
    natures: NATURES,
    fate: '',
    before: [{ task: 'turn', dieAfterStep: 'open-intent' }],
    task: 'turn',
  },
  {
    name: 'taking over from a process that died after the answer',
    natures: NATURES,
    fate: '',
    before: [{ task: 'turn', dieAfterStep: 'carrier books' }],
    task: 'turn',
    fromStep: 'doubt-intent',
  },
  {
    name: 'a look-up that finds nothing, and the booking after it',
    natures: ['southern'],
    fate: '',
    before: [{ task: 'turn', dieAfterStep: 'open-intent' }, { task: 'turn' }],
    task: 'turn',
  },
  {
    name: 'a look-up that finds it',
    natures: ['southern'],
    fate: '',
    before: [{ task: 'turn', dieAfterStep: 'carrier books' }, { task: 'turn' }],
    task: 'turn',
  },
  { name: 'a cancel', natures: NATURES, fate: '', before: [{ task: 'turn' }], task: 'cancel' },
]

test('whoever dies after whichever step, nothing is booked twice and all comes to an end', async (t) => {
  const world = await crashWorld(t)
  const deaths: (() => Promise<void>)[] = []
  let points = 0
  for (const situation of SITUATIONS) {
    for (const nature of situation.natures) {
      const steps = await stepsOf(world, situation, nature)
      const first = situation.fromStep ? steps.indexOf(situation.fromStep) : 0
      for (let step = Math.max(0, first); step < steps.length; step += 1) {
        points += 1
        deaths.push(() => dieAt(world, situation, nature, step + 1, steps[step] ?? ''))
      }
    }
  }
  t.diagnostic(`${points} crash points`)
  assert.ok(points > 50)
  await Promise.all([1, 2].map(() => drain(deaths)))
})

async function drain(deaths: (() => Promise<void>)[]): Promise<void> {
  for (let death = deaths.shift(); death; death = deaths.shift()) await death()
}

/** The steps of a piece of work, from doing it once with nobody dying. */
async function stepsOf(world: World, situation: Situation, nature: Nature): Promise<string[]> {
  const deliveryId = await arrange(world, situation, nature, 'whole')
  const steps: string[] = []
  await doWork(
    stepped(world.deps, (step) => steps.push(step)),
    { deliveryId, task: situation.task },
  )
  await checkAtRest(world, deliveryId, `${situation.name} at ${nature}, whole`)
  return steps
}

async function dieAt(world: World, situation: Situation, nature: Nature, step: number, name: string) {
  const deliveryId = await arrange(world, situation, nature, `${step}`)
  const { databaseUrl } = world
  const order: CrashOrder = {
    deliveryId,
    task: situation.task,
    databaseUrl,
    secretKey: WORLD_SECRET_KEY,
    dieAfter: step,
  }
  const child = fork(fileURLToPath(new URL('crash-child.ts', import.meta.url)), [JSON.stringify(order)], {
    env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'drover-kills-cache') },
    execArgv: [],
  })
  const [, signal] = await once(child, 'exit')
  const what = `${situation.name} at ${nature}, dead after ${name} (step ${step})`
  assert.equal(signal, 'SIGKILL', what)
  await checkAtRest(world, deliveryId, what)
}

/** A delivery in the state that the situation begins with. */
async function arrange(world: World, situation: Situation, nature: Nature, suffix: string): Promise<string> {
  const index = SITUATIONS.indexOf(situation)
  const reference = `S${index}-${nature}-${suffix}${situation.fate}`
  const options = { idempotency: null, answer: () => ({ status: 201, headers: {}, body: '' }) }
  await createDelivery(world.deps, world.demo(), anyone, { ...requestOf(nature), reference }, options)
  const { rows } = await world.deps.db.query('select delivery_id from deliveries where reference = $1', [
    reference,
  ])
  const deliveryId: string = rows[0].delivery_id
  for (const { task, dieAfterStep } of situation.before) {
    await work(world, { deliveryId, task }, dieAfterStep)
    await letTimePass(world, deliveryId)
  }
  return deliveryId
}

/** With `dieAfterStep`, nothing that comes after that step happens: to the database that is a death. */
async function work(world: World, what: Work, dieAfterStep?: string): Promise<void> {
  const deps = stepped(world.deps, (step) => {
    if (step === dieAfterStep) throw new Error(`died after ${step}`)
  })
  await doWork(deps, what)
}

/** Long enough for leases to end and for carriers to settle. */
async function letTimePass(world: World, deliveryId: string): Promise<void> {
  for (const statement of [
    `update deliveries set due_at = created_at where delivery_id = $1 and due_at is not null`,
    `update deliveries set lease_until = lease_until - interval '1 hour' where delivery_id = $1`,
    `update booking_intents set settle_until = settle_until - interval '1 hour' where delivery_id = $1`,
    `update sandbox_consignments set findable_from = findable_from - interval '1 hour' where reference like $1 || '%'`,
  ]) {
    await world.deps.db.query(statement, [deliveryId])
  }
}

const MOST_TURNS = 8

async function checkAtRest(world: World, deliveryId: string, what: string): Promise<void> {
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    await letTimePass(world, deliveryId)
    const { rows } = await world.deps.db.query(
      `select 1 from deliveries where delivery_id = $1 and (status = 'requested' or cancel_requested_at is not null)`,
      [deliveryId],
    )
    if (rows.length === 0) break
    await work(world, { deliveryId, task: 'turn' })
  }
  const { rows } = await world.deps.db.query(
    `select reference, status, status_reason, consignment_number, open_attempt, parked_at
     from deliveries where delivery_id = $1`,
    [deliveryId],
  )
  const [delivery] = rows
  const ledger = await world.deps.db.query(
    `select operation, outcome, consignment_number from sandbox_ledger where reference = $1 order by entry`,
    [delivery.reference],
  )
  const standing = new Set<string>()
  for (const { operation, outcome, consignment_number } of ledger.rows) {
    if (operation === 'book' && outcome === 'booked') standing.add(consignment_number)
    if (operation === 'cancel' && outcome === 'cancelled') standing.delete(consignment_number)
    assert.ok(standing.size <= 1, `${what}: ${[...standing]} stand at once`)
  }
  const context = `${what}: ${delivery.status}, ${delivery.status_reason}`
  assert.equal(delivery.parked_at, null, context)
  if (delivery.status === 'booked') {
    assert.deepEqual([...standing], [delivery.consignment_number], context)
  } else {
    assert.ok(['on_hold', 'cancelled'].includes(delivery.status), context)
    if (delivery.open_attempt === null) assert.equal(standing.size, 0, context)
  }
}

async function crashWorld(t: import('node:test').TestContext): Promise<World> {
  const world = await testWorld(t, { work: false })
  const demo = new URL('../../examples/demo-account.yaml', import.meta.url)
  const document = parse(readFileSync(demo, 'utf8'), { merge: true })
  for (const carrier of document.carriers) carrier.settings = { timeout_ms: 200 }
  await applyAccount(world.deps, document, { by: 'test' })
  return world
}

function requestOf(nature: Nature): DeliveryRequest {
  const carton = { ...deliveryRequest, readyForPickupAt: timestamp('2026-11-24T10:30:00+11:00') }
  if (nature === 'swiftly') return { ...carton, deliveryType: 'fast' }
  if (nature === 'southern') return { ...carton, deliveryType: 'standard' }
  const pallet = { ...requestParcel, type: 'pallet' as const, lengthCm: 110, widthCm: 110, heightCm: 120 }
  return { ...carton, deliveryType: 'standard', parcels: [{ ...pallet, weightKg: 300 }] }
}
