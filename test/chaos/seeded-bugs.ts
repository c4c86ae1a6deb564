import type { App } from '../../src/bootstrap/composition-root.ts'
import type { PromiseName } from './checker.ts'
import type { Act } from './schedule.ts'
import {
  countAfter,
  forgetFence,
  listOfEverybody,
  neverReconcile,
  POISON,
  renameMessages,
  STANDS_STILL_MS,
  signLate,
  spoiltCarriers,
} from './seeded-processes.ts'

/**
 * Bugs as they are usually made, and the promise that each must be seen to break. They are planted round the product:
 * in what a process is wired with and says to its database, in the tables, in PostgreSQL's settings. None is in the
 * product's code.
 */
export const PLANTS = {
  /** An idempotency key that is made for the call and not for the booking. */
  new_key_each_try: {
    breaks: 'booked once',
    worker: spoiltCarriers('new_key_each_try'),
    // Booked, and never heard of: it is asked again.
    provoke: {
      kind: 'carrier',
      network: 'doordash',
      fault: { kind: 'lost', operation: 'create_delivery', times: 2 },
    },
  },
  /** No time to settle before a carrier is asked whether it has a booking. */
  look_up_at_once: {
    breaks: 'booked once',
    worker: spoiltCarriers('look_up_at_once'),
    // Booked after we gave up waiting, and after a hasty look-up.
    provoke: {
      kind: 'carrier',
      network: 'auspost',
      fault: { kind: 'slow', operation: 'create_shipments', ms: 6_000, times: 6 },
    },
  },
  /** A booking that was given up is never looked for again, whatever its carrier's list left out. */
  no_reconciliation: {
    breaks: 'booked once',
    as: /left with two bookings/,
    worker: neverReconcile,
    // Booked, never heard of, and left out of the list once: it is booked under the next key.
    provoke: [
      { kind: 'carrier', network: 'auspost', fault: { kind: 'lost', operation: 'create_shipments' } },
      { kind: 'carrier', network: 'auspost', fault: { kind: 'empty', operation: 'get_shipments' } },
    ],
    // A look-up comes 20 s after the booking: nobody dies meanwhile, or few come before the end.
    calm: true,
    seconds: 60,
  },
  /** The carrier is asked, and only its answer is written down. */
  no_intent: { breaks: 'booked once', worker: spoiltCarriers('no_intent') },
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
  /** A worker that stood still past its lease goes on as if it had it: no write names its fence. */
  no_fence: {
    breaks: 'booked once',
    as: /stood twice/,
    worker: forgetFence,
    // Nobody dies meanwhile: who is to wake up in another's work must live until then.
    calm: true,
    seconds: STANDS_STILL_MS / 1_000 + 12,
    provoke: { kind: 'clock', minutes: 1 },
  },
  /** The list of deliveries is read without its account. */
  no_tenant_filter: {
    breaks: 'answers as declared',
    as: /told of/,
    api: listOfEverybody,
  },
  /** A claim is counted once its work has ended, so work that kills its worker is never counted. */
  counted_after: {
    breaks: 'all comes to an end',
    as: POISON,
    worker: countAfter,
    // What a worker dies over is due again soon, and not a lease later.
    sql: `create function hurry_poison() returns trigger language plpgsql as
            'begin new.lease_until := least(new.lease_until, now() + interval ''500 milliseconds''); return new; end';
          create trigger hurry_poison before update on deliveries for each row
            when (new.reference ~ '${POISON.source}' and new.status = 'requested') execute function hurry_poison()`,
    calm: true,
    provoke: { kind: 'clock', minutes: 1 },
  },
} as const satisfies Record<string, Plant>

export type Role = 'api' | 'worker'

export type Plant = {
  breaks: PromiseName
  /** What the breach says, where other faults of the run could break the same promise. */
  as?: RegExp
  worker?: (parts: App) => void
  api?: (parts: App) => void
  sql?: string
  settings?: Record<string, string>
  /** What brings it to light, done again and again beside the schedule. */
  provoke?: Act | readonly Act[]
  /** Nothing else is done. */
  calm?: boolean
  /** How long it takes to show. */
  seconds?: number
}

export type PlantName = keyof typeof PLANTS
export const PLANT_NAMES = Object.keys(PLANTS) as PlantName[]
