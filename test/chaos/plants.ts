import pg from 'pg'
import type { Parts } from '../../src/parts.ts'
import { type PlantName as KillPlant, plant as plantInCarriers } from '../kills/plants.ts'
import type { PromiseName } from './checker.ts'
import type { Act, Beat } from './schedule.ts'

/**
 * Bugs as they are usually made, and the promise that each must be seen to break. They are planted round the product:
 * in what a worker is wired with, in the database's tables, in PostgreSQL's settings. None is in the product's code.
 */
export const PLANTS = {
  /** An idempotency key that is made for the call and not for the booking. */
  new_key_each_try: { breaks: 'booked once', worker: carrierPlant('new_key_each_try') },
  /** No time to settle before a carrier is asked whether it has a booking. */
  look_up_at_once: {
    breaks: 'booked once',
    worker: carrierPlant('look_up_at_once'),
    // Booked after we gave up waiting, and after a hasty look-up.
    provoke: {
      kind: 'carrier',
      network: 'auspost',
      fault: { kind: 'slow', operation: 'create_shipments', ms: 6_000, times: 6 },
    },
  },
  /** The carrier is asked, and only its answer is written down. */
  no_intent: { breaks: 'booked once', worker: carrierPlant('no_intent') },
  /** Webhooks are signed with the time of the event and not of the attempt. */
  stale_signature: { breaks: 'told in order', worker: signLate },
  /** A message gets its id when it is sent and not when it is made. */
  new_message_id: { breaks: 'texted once', worker: renameMessages },
  /** The event is told beside the transaction of what it tells: now and then it is not told. */
  lost_event: {
    breaks: 'told in order',
    sql: `create function lose_some() returns trigger language plpgsql as
            'begin if random() < 0.05 then return null; end if; return new; end';
          create trigger lose_some before insert on events for each row execute function lose_some()`,
  },
  /** The idempotency key is kept beside the transaction: whoever comes again is a stranger. */
  forgotten_key: {
    breaks: 'one key, one answer',
    sql: `create function forget_key() returns trigger language plpgsql as
            'begin delete from idempotency_keys where account_id = new.account_id and key = new.key; return null; end';
          create constraint trigger forget_key after insert or update on idempotency_keys
            deferrable initially deferred for each row execute function forget_key()`,
  },
  /** A create is acknowledged before it is on the disk. */
  early_answer: {
    breaks: 'acknowledged and kept',
    settings: { synchronous_commit: 'off', wal_writer_delay: '10s', bgwriter_delay: '10s' },
  },
} as const satisfies Record<string, Plant>

type Plant = {
  breaks: PromiseName
  worker?: (parts: Parts) => void
  sql?: string
  settings?: Record<string, string>
  /** What brings it to light, done again and again beside the schedule. */
  provoke?: Act
}

export type PlantName = keyof typeof PLANTS
export const PLANT_NAMES = Object.keys(PLANTS) as PlantName[]

export function settingsOf(names: readonly PlantName[]): Record<string, string> {
  return Object.assign({}, ...names.map((name) => (PLANTS[name] as Plant).settings ?? {}))
}

const PROVOKED_EVERY = 3

/** The schedule, with what brings these bugs to light in between. */
export function* provoked(beats: Iterable<Beat>, names: readonly PlantName[]): Generator<Beat> {
  const acts = names.flatMap((name) => (PLANTS[name] as Plant).provoke ?? [])
  let count = 0
  for (const beat of beats) {
    if (count % PROVOKED_EVERY === 0) for (const act of acts) yield { pauseMs: 0, act }
    yield beat
    count += 1
  }
}

/** Whatever of these bugs is in the tables. */
export async function plantInDatabase(url: string, names: readonly PlantName[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const name of names) await client.query((PLANTS[name] as Plant).sql ?? '')
  } finally {
    await client.end()
  }
}

/** Whatever of these bugs is in a worker, before it starts. */
export function plantInWorker(parts: Parts, names: readonly PlantName[]): void {
  for (const name of names) (PLANTS[name] as Plant).worker?.(parts)
}

function carrierPlant(name: KillPlant): (parts: Parts) => void {
  return (parts) => plantInCarriers(parts, [name])
}

const HOUR_S = 3_600

function signLate({ deps }: Parts): void {
  const post = deps.postWebhook
  deps.postWebhook = (url, headers, body) => {
    const signed = Number(headers['webhook-timestamp'])
    return post(url, { ...headers, 'webhook-timestamp': `${signed - HOUR_S}` }, body)
  }
}

function renameMessages({ deps }: Parts): void {
  const { sms } = deps.notifier
  if (!sms) return
  const send: typeof sms.send = (message) =>
    sms.send({ ...message, id: `${message.id}-${Math.random().toString(36).slice(2, 8)}` })
  deps.notifier = { ...deps.notifier, sms: { ...sms, send } }
}
