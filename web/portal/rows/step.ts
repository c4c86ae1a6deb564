/** Height of the header, which covers the top of the page. */
const BAND_PX = 52

/** Moves the focus to the next or previous row; without a focused row, to the first one on the screen. */
export function stepRows(list: HTMLElement | null, by: 1 | -1): void {
  const rows = [...(list?.querySelectorAll<HTMLElement>('[data-id]') ?? [])]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const next =
    at < 0
      ? rows.find((row) => row.getBoundingClientRect().bottom > BAND_PX)
      : rows[Math.min(rows.length - 1, Math.max(0, at + by))]
  next?.querySelector<HTMLElement>('.open')?.focus()
}

/** The delivery of the focused row. */
export function focusedRow(): string | null {
  return document.activeElement?.closest<HTMLElement>('[data-id]')?.dataset.id ?? null
}
