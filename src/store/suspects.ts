/**
 * Claims in a row that nobody settled, after which a row is a suspect: it may be what ends its workers, or it was in
 * hand with it each time. A process works on one suspect of a kind at a time, so the last tries before it is taken
 * out of the queue tell the one from the other.
 */
export const SUSPECT_AFTER = 5

/** Of a claimed row: the claim that it is in hand by is counted already. */
export function isSuspect({ claims }: { claims: number }): boolean {
  return claims > SUSPECT_AFTER
}

/** Condition on a row that may be claimed where `suspects` (a parameter, 0 or 1) may be. */
export function unlessTooSuspect(suspects: string): string {
  return `(claims < ${SUSPECT_AFTER} or ${suspects} > 0)`
}

/** The CTE `chosen`: the `key` of what the CTE `due` found and locked, of suspects no more than `suspects`. */
export function chosenOfDue(key: string, suspects: string): string {
  return `chosen as (
        select ${key} from due where claims < ${SUSPECT_AFTER}
        union all (select ${key} from due where claims >= ${SUSPECT_AFTER} limit ${suspects}))`
}
