import { namesOf } from '../harness/promises.ts'
import type { SeededBug } from '../harness/seeded-bugs.ts'
import { SEEDED_BUGS as BOOKING_BUGS } from '../kills/seeded-bugs.ts'
import {
  countAfter,
  forgetFence,
  listOfEverybody,
  neverReconcile,
  PAUSE_MS,
  POISON,
  renameMessages,
  signLate,
} from './process-bugs.ts'
import type { PromiseName } from './promises.ts'
import type { Act, ScheduledFault } from './schedule.ts'

/**
 * Seeded bugs in the deps of a process, in its statements, in the tables and in PostgreSQL's settings.
 */
export const SEEDED_BUGS = {
  new_key_each_try: {
    ...BOOKING_BUGS.new_key_each_try,
    // The carrier books and does not respond, so the worker sends the booking again.
    provoke: {
      kind: 'carrier',
      network: 'doordash',
      fault: { kind: 'lost', operation: 'create_delivery', times: 2 },
    },
  },
  look_up_at_once: {
    ...BOOKING_BUGS.look_up_at_once,
    // The carrier books after our time-out, and after an early look-up.
    provoke: {
      kind: 'carrier',
      network: 'auspost',
      fault: { kind: 'slow', operation: 'create_shipments', ms: 6_000, times: 6 },
    },
  },
  /** Drover never looks again for a booking that it gave up, although the carrier's list had left it out. */
  no_reconciliation: {
    breaks: 'booked once',
    as: /left with two bookings/,
    worker: neverReconcile,
    // The carrier books without a response and leaves the booking out of one list: the next key books it again.
    provoke: [
      { kind: 'carrier', network: 'auspost', fault: { kind: 'lost', operation: 'create_shipments' } },
      { kind: 'carrier', network: 'auspost', fault: { kind: 'empty', operation: 'get_shipments' } },
    ],
    // The look-up runs 20 s after the booking. If many processes were killed meanwhile, few would run before
    // the end.
    calm: true,
    seconds: 60,
  },
  no_intent: BOOKING_BUGS.no_intent,
  /** Webhooks are signed with the time of the event instead of the attempt. */
  stale_signature: { breaks: 'events in order', worker: signLate },
  /** A message gets its id when it is sent instead of when it is created. */
  new_message_id: { breaks: 'texted once', worker: renameMessages },
  /** The event is written outside the transaction of its change, so some events are missing. */
  lost_event: {
    breaks: 'events in order',
    sql: `create function lose_some() returns trigger language plpgsql as
            'begin if random() < 0.05 then return null; end if; return new; end';
          create trigger lose_some before insert on events for each row execute function lose_some()`,
  },
  /** The idempotency key is stored outside the transaction: a retry is not recognised. */
  forgotten_key: {
    breaks: 'one key, one answer',
    sql: `create function forget_key() returns trigger language plpgsql as
            'begin delete from idempotency_keys where account_id = new.account_id and key = new.key; return null; end';
          create constraint trigger forget_key after insert or update on idempotency_keys
            deferrable initially deferred for each row execute function forget_key()`,
  },
  /** A create is acknowledged before it is on disk. */
  early_answer: {
    breaks: 'acknowledged and kept',
    settings: { synchronous_commit: 'off', wal_writer_delay: '10s', bgwriter_delay: '10s' },
  },
  /** A worker that was paused past its lease continues: no write checks its fencing token. */
  no_fence: {
    breaks: 'booked once',
    as: /was booked while/,
    worker: forgetFence,
    // No process is killed meanwhile: the paused one must resume after another has taken over its work.
    calm: true,
    seconds: PAUSE_MS / 1_000 + 12,
    provoke: { kind: 'clock', minutes: 1 },
  },
  /** The list of deliveries is read without a filter by account. */
  no_tenant_filter: {
    breaks: 'answers as declared',
    as: /shows data of/,
    api: listOfEverybody,
  },
  /** A claim is counted after its work instead of before, so work that kills its worker is never counted. */
  counted_after: {
    breaks: 'every delivery ends',
    as: POISON,
    worker: countAfter,
    // Work that kills its worker is due again soon, not a lease later.
    sql: `create function hurry_poison() returns trigger language plpgsql as
            'begin new.lease_until := least(new.lease_until, now() + interval ''500 milliseconds''); return new; end';
          create trigger hurry_poison before update on deliveries for each row
            when (new.reference ~ '${POISON.source}' and new.status = 'requested') execute function hurry_poison()`,
    calm: true,
    provoke: { kind: 'clock', minutes: 1 },
  },
} as const satisfies Record<string, ChaosBug>

export type ChaosBug = SeededBug<PromiseName> & {
  sql?: string
  settings?: Record<string, string>
  /** The fault that reveals the bug, repeated in addition to the schedule. */
  provoke?: Act | readonly Act[]
  /** No other fault is injected. */
  calm?: boolean
  /** How long the run takes to reveal the bug. */
  seconds?: number
}

export const SEEDED_BUG_NAMES = namesOf(SEEDED_BUGS)

/** With those of `npm run kills`. */
export const ALL_BUGS = { ...BOOKING_BUGS, ...SEEDED_BUGS } as const
export type SeededBugName = keyof typeof ALL_BUGS

export function bugsOf(names: readonly SeededBugName[]): ChaosBug[] {
  return names.map((name) => ALL_BUGS[name])
}

const PROVOKED_EVERY = 3

/** The schedule, with the faults that reveal these bugs in between, or those alone. */
export function* provoked(
  schedule: Iterable<ScheduledFault>,
  bugs: readonly ChaosBug[],
): Generator<ScheduledFault> {
  const acts = bugs.flatMap(({ provoke }) => provoke ?? [])
  const calm = bugs.some((bug) => bug.calm)
  let count = 0
  for (const scheduled of schedule) {
    if (calm) for (const act of acts) yield { pauseMs: scheduled.pauseMs, act }
    else {
      if (count % PROVOKED_EVERY === 0) for (const act of acts) yield { pauseMs: 0, act }
      yield scheduled
    }
    count += 1
  }
}
