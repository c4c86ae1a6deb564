/** In-flight counts per account: the rows of one kind that this process is working on now. */
export type InFlightByAccount = {
  of(accountId: string): number
  add(accountIds: readonly string[]): void
  remove(accountIds: readonly string[]): void
}

export function noneInFlight(): InFlightByAccount {
  const rows = new Map<string, number>()
  const change = (accountId: string, count: number): void => {
    const now = (rows.get(accountId) ?? 0) + count
    if (now > 0) rows.set(accountId, now)
    else rows.delete(accountId)
  }
  return {
    of: (accountId) => rows.get(accountId) ?? 0,
    add: (accountIds) => {
      for (const accountId of accountIds) change(accountId, 1)
    },
    remove: (accountIds) => {
      for (const accountId of accountIds) change(accountId, -1)
    },
  }
}
