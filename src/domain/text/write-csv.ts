/**
 * Rows as CSV (RFC 4180) with a byte order mark, so that spreadsheets read UTF-8. A cell that a spreadsheet
 * would run as a formula gets a leading apostrophe (OWASP, CSV injection). That includes a first character in
 * East Asian full width, which spreadsheets read as the plain one.
 */
export function csvText(rows: readonly (readonly (string | number | null)[])[]): string {
  return `\uFEFF${csvLines(rows)}`
}

/** Further rows of the same file. */
export function csvLines(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return `${value}`
  const tame = /^[=+\-@\t\r\0\uFF1D\uFF0B\uFF0D\uFF20]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(tame) ? `"${tame.replaceAll('"', '""')}"` : tame
}
