/**
 * Quarantine of poison rows: after this many claims in a row without a result, a row is a suspect: it may kill its
 * workers, or it was only claimed together with a row that does. Each tier limits how many suspects of a kind a process
 * works on at once, so that the last claims before a row is dead-lettered show which row is the poison one.
 */
const TIERS = [
  { after: 5, max: 10 },
  { after: 7, max: 1 },
] as const
const [FEW, ONE] = TIERS

/** Free quarantine slots, by tier. */
export type QuarantineSlots = readonly number[]
export const QUARANTINE_SLOTS: QuarantineSlots = TIERS.map(({ max }) => max)

/** The quarantine tier of a claimed row, or null; its current claim is already counted. */
export function quarantineTier({ claims }: { claims: number }): number | null {
  if (claims > ONE.after) return 1
  return claims > FEW.after ? 0 : null
}

/** SQL condition: a row may be claimed if its tier has a free slot. `room` is a parameter with QuarantineSlots. */
export function claimableSql(room: string): string {
  return `(claims < ${FEW.after} or (${room}::int[])[case when claims < ${ONE.after} then 1 else 2 end] > 0)`
}

/**
 * The CTE `chosen`: the `key` of the rows that the CTE `due` found and locked, with no more suspects than there are
 * slots.
 */
export function chosenSql(key: string, room: string): string {
  return `chosen as (
        select ${key} from due where claims < ${FEW.after}
        union all (select ${key} from due where claims >= ${FEW.after} and claims < ${ONE.after} limit (${room}::int[])[1])
        union all (select ${key} from due where claims >= ${ONE.after} limit (${room}::int[])[2]))`
}

/** Account time per account: test clocks differ, so due rows are selected account by account. */
export type AccountNows = { accountIds: readonly string[]; nowsMs: readonly number[] }
