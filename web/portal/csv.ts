/** An id is text, although a spreadsheet may take it for a number or a date. */
export type CsvCell = string | number | null | undefined | { id: string }
export type CsvRows = readonly (readonly CsvCell[])[]

/**
 * RFC 4180, with a `'` before cells that a spreadsheet would read as a formula, also with a full-width `＝`: a customer's
 * name must not run in the spreadsheet of the person who opens the file.
 */
export function csvOf(rows: CsvRows): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

/** Offers the text to the browser as a file. */
export function saveCsv(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob(['\uFEFF', text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}

function cell(value: CsvCell): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  // Excel would drop leading zeros, round after 15 digits, and make a date of `3-4`. The formula is a constant text.
  if (typeof value === 'object') return LIKE_A_FIGURE.test(value.id) ? `"=""${value.id}"""` : cell(value.id)
  const safe = /^[=+\-@\t\r\0\uFF1D\uFF0B\uFF0D\uFF20]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const LIKE_A_FIGURE = /^(\d|(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[ -]?\d)[\w ./:-]*$/i
