/**
 * Claims in a row that nobody settled, after which a row is a suspect: it may be what ends its workers, or it was in
 * hand with it each time; and how many of such rows of a kind a process works on at once. The last tries before a row
 * is taken out of the queue tell the one from the other.
 */
const TIERS = [
  { after: 5, most: 10 },
  { after: 7, most: 1 },
] as const
const [FEW, ONE] = TIERS

/** Places for suspects, by tier. */
export type QuarantineSlots = readonly number[]
export const QUARANTINE_SLOTS: QuarantineSlots = TIERS.map(({ most }) => most)

/** The tier of a claimed row, or null; the claim that it is in hand by is counted already. */
export function quarantineTier({ claims }: { claims: number }): number | null {
  if (claims > ONE.after) return 1
  return claims > FEW.after ? 0 : null
}

/** Condition on a row that may be claimed where there are so many places: a parameter of QuarantineSlots. */
export function claimableSql(room: string): string {
  return `(claims < ${FEW.after} or (${room}::int[])[case when claims < ${ONE.after} then 1 else 2 end] > 0)`
}

/** The CTE `chosen`: the `key` of what the CTE `due` found and locked, of suspects no more than have places. */
export function chosenSql(key: string, room: string): string {
  return `chosen as (
        select ${key} from due where claims < ${FEW.after}
        union all (select ${key} from due where claims >= ${FEW.after} and claims < ${ONE.after} limit (${room}::int[])[1])
        union all (select ${key} from due where claims >= ${ONE.after} limit (${room}::int[])[2]))`
}

/** Account time per account: test clocks differ, so what is due is asked account by account. */
export type AccountNows = { accountIds: readonly string[]; nowsMs: readonly number[] }
