const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `24 Nov 2026` from an ISO date or date-time. */
export function dateWords(iso: string): string {
  const [year, month, day] = iso.slice(0, 10).split('-')
  return `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}`
}

/** `24 Nov 2026, 14:05` from an ISO date-time, on its own wall clock. */
export function timeWords(iso: string): string {
  return `${dateWords(iso)}, ${iso.slice(11, 16)}`
}

/** Rounded up to 10 g. */
export function kgWords(kg: number): string {
  return `${Math.ceil(kg * 100 - 1e-6) / 100} kg`
}

/** The articles of a row with space for one: `SP123001 and 2 more`. */
export function articleWords([first, ...more]: readonly string[]): string {
  if (first === undefined) return ''
  return more.length > 0 ? `${first} and ${more.length} more` : first
}
