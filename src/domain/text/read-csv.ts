/**
 * The cells of CSV (RFC 4180), quoted or not, with either line ending; a byte order mark is skipped. Stops
 * reading at the maximum number of rows or cells.
 */
export function readCsv(
  text: string,
  { rows: mostRows = Number.POSITIVE_INFINITY, cells: mostCells = Number.POSITIVE_INFINITY } = {},
): string[][] {
  const rows: string[][] = []
  let cells = 0
  let row: string[] = []
  let at = text.startsWith('\uFEFF') ? 1 : 0
  while (at < text.length && rows.length < mostRows && cells++ < mostCells) {
    const { value, next } = text[at] === '"' ? quoted(text, at) : bare(text, at)
    row.push(value)
    at = next
    if (text[at] === ',') {
      at += 1
      // A comma at the end of a line is followed by an empty cell.
      if (at < text.length && text[at] !== '\n' && text[at] !== '\r') continue
      row.push('')
    }
    if (text[at] === '\r') at += 1
    if (text[at] === '\n') at += 1
    rows.push(row)
    row = []
  }
  return rows
}

function bare(text: string, from: number): { value: string; next: number } {
  let next = from
  while (next < text.length && text[next] !== ',' && text[next] !== '\n' && text[next] !== '\r') next += 1
  return { value: text.slice(from, next), next }
}

/** Reads up to the closing quote; text between the quote and the comma belongs to the cell. */
function quoted(text: string, from: number): { value: string; next: number } {
  let value = ''
  let at = from + 1
  for (;;) {
    const end = text.indexOf('"', at)
    if (end < 0) return { value: value + text.slice(at), next: text.length }
    value += text.slice(at, end)
    if (text[end + 1] !== '"') {
      const rest = bare(text, end + 1)
      return { value: value + rest.value, next: rest.next }
    }
    value += '"'
    at = end + 2
  }
}
