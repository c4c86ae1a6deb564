import type { Pool } from 'pg'
import { CALENDAR_ENDS_MS } from '../../domain/calendar/store-calendar.ts'
import { Refusal } from '../../domain/errors.ts'
import { type AccountHead, announceAccount, updateClockOffset } from '../../store/accounts/accounts.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { shiftPauses } from '../../store/housekeeping/clock-set-back.ts'
import { noAudit, type WriteAudit } from '../audit/audit.ts'
import type { AccountDirectory } from '../directory/account-directory.ts'

type ClockDeps = {
  db: Pool
  accounts: Pick<AccountDirectory, 'head' | 'nowMs' | 'refresh'>
  wake(): void
  /** The wall clock; defaults to the machine's. */
  wallMs?: () => number
}

/**
 * Sets the clock of a sandbox account to `nowMs`, from where it runs at real speed; null resets it to the wall clock.
 * Work that is due by the new time starts at once, and the times of waiting retries are shifted back with the clock.
 * Returns account time and its offset from the wall clock.
 */
export async function setAccountClock(
  deps: ClockDeps,
  accountId: string,
  nowMs: number | null,
  record: WriteAudit = noAudit,
): Promise<{ nowMs: number; clockOffsetMs: number }> {
  requireSandbox(deps.accounts, accountId)
  if (nowMs !== null && !(nowMs >= EARLIEST_MS && nowMs < CALENDAR_ENDS_MS)) {
    const message =
      'A clock can be set to any time from 2025 to 30 December 2030 (UTC): later holidays are not known yet.'
    throw new Refusal('invalid_request', message, {
      issues: [{ field: 'now', issue: 'out_of_range', message }],
    })
  }
  const wallMs = (deps.wallMs ?? Date.now)()
  const clockOffsetMs = nowMs === null ? 0 : Math.round(nowMs) - wallMs
  await withTransaction(deps.db, async (db) => {
    const beforeMs = await updateClockOffset(db, accountId, clockOffsetMs)
    if (beforeMs === null) throw liveAccountRefusal(accountId)
    const byMs = beforeMs - clockOffsetMs
    if (byMs === 0) return record(db, null)
    if (byMs > 0) await shiftPauses(db, accountId, byMs)
    await announceAccount(db, accountId)
    await record(db, {
      accountId,
      object: accountId,
      before: { offset_ms: beforeMs },
      after: { offset_ms: clockOffsetMs },
    })
  })
  await deps.accounts.refresh()
  deps.wake()
  return { nowMs: wallMs + clockOffsetMs, clockOffsetMs }
}

/** Account time and its offset from the wall clock. Refuses as `setAccountClock` does. */
export function getAccountClock(
  { accounts }: Pick<ClockDeps, 'accounts'>,
  accountId: string,
): { nowMs: number; clockOffsetMs: number } {
  const { clockOffsetMs } = requireSandbox(accounts, accountId)
  return { nowMs: accounts.nowMs(accountId), clockOffsetMs }
}

function requireSandbox(accounts: ClockDeps['accounts'], accountId: string): AccountHead {
  const head = accounts.head(accountId)
  if (!head) throw new Refusal('not_found', `There is no account ${accountId}.`)
  if (head.mode !== 'sandbox') throw liveAccountRefusal(accountId)
  return head
}

function liveAccountRefusal(accountId: string): Refusal {
  return new Refusal(
    'capability_disabled',
    `Account ${accountId} is live: only sandbox accounts have a clock of their own.`,
  )
}

/** The first year whose holidays are known; `CALENDAR_ENDS_MS` is the end. Beyond them no window could be given. */
const EARLIEST_MS = Date.UTC(2025, 0, 1)
