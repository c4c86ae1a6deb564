import type { Pool } from 'pg'
import {
  type AccountHead,
  type AccountsDigest,
  listAccountHeads,
  readAccountsDigest,
} from '../../store/accounts/accounts.ts'

/**
 * A transaction that was open for longer commits with an older `updated_at`. The digest still differs then, and all
 * heads are read.
 */
const RECENT_MS = 5 * 60_000

/** What a process knows of every account without its document: some 200 bytes each. */
export type AccountHeads = {
  get(accountId: string): AccountHead | null
  /** In the order of their ids. The same array until something changes. */
  list(): readonly AccountHead[]
  /** Reads a digest of all accounts; after a change the heads that changed lately, and all if it still differs. */
  refresh(): Promise<void>
}

export function accountHeads(db: Pool): AccountHeads {
  const known = new Map<string, AccountHead>()
  let listed: readonly AccountHead[] = []
  let digest: AccountsDigest = { accounts: 0, revisions: 0 }

  function take(heads: readonly AccountHead[]): void {
    for (const head of heads) {
      digest.revisions += head.revision - (known.get(head.accountId)?.revision ?? 0)
      known.set(head.accountId, head)
    }
    digest.accounts = known.size
    listed = [...known.values()].sort((a, b) => (a.accountId < b.accountId ? -1 : 1))
  }

  async function refresh(): Promise<void> {
    const now = await readAccountsDigest(db)
    if (now.accounts === digest.accounts && now.revisions === digest.revisions) return
    if (known.size > 0) take(await listAccountHeads(db, RECENT_MS))
    if (digest.accounts === now.accounts && digest.revisions >= now.revisions) return
    const all = await listAccountHeads(db)
    known.clear()
    digest = { accounts: 0, revisions: 0 }
    take(all)
  }

  return { get: (accountId) => known.get(accountId) ?? null, list: () => listed, refresh }
}
