export type Sorted = { column: number; down: boolean }

/**
 * Sorts by one figure or text of each row; rows without it come last in both directions, equal ones keep their
 * order.
 */
export function ranked<T>(
  rows: readonly T[],
  by: (row: T) => string | number | null,
  { down }: Pick<Sorted, 'down'>,
): T[] {
  return rows.toSorted((one, other) => {
    const [a, b] = [by(one), by(other)]
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    const order =
      typeof a === 'string' ? a.localeCompare(String(b), 'en-AU', { numeric: true }) : a - Number(b)
    return down ? -order : order
  })
}
