export type Graphic = {
  x: number
  y: number
  width: number
  height: number
  isInked(x: number, y: number): boolean
}

/** The graphic fields of a label, decoded as a printer does (ZPL II, `^GFA` with alternative data compression). */
export function readGraphic(zpl: string): Graphic[] {
  const fields = zpl.matchAll(/\^FO(\d+),(\d+)(?:\^FR)?\^GFA,(\d+),(\d+),(\d+),([^^]*)\^FS/g)
  return [...fields].map(([, left, top, total, field, bytes, data]) => {
    const [x, y, bytesPerRow] = [Number(left), Number(top), Number(bytes)]
    const rows = rowsOf(data as string, bytesPerRow * 2)
    const length = rows.length * bytesPerRow
    if (length !== Number(total) || length !== Number(field))
      throw new Error(`The field declares ${total} bytes and has ${length}.`)
    const isInked = (atX: number, atY: number) => {
      const [column, row] = [atX - x, rows[atY - y]]
      if (row === undefined || column < 0 || column >= bytesPerRow * 8) return false
      return ((Number.parseInt(row[column >> 2] as string, 16) >> (3 - (column & 3))) & 1) === 1
    }
    return { x, y, width: bytesPerRow * 8, height: rows.length, isInked }
  })
}

function rowsOf(data: string, digits: number): string[] {
  const rows: string[] = []
  let row = ''
  let count = 0
  for (const letter of data) {
    if (letter === ':') rows.push(rows.at(-1) as string)
    else if (letter === ',') row = row.padEnd(digits, '0')
    else if (letter >= 'g' && letter <= 'z') count += 20 * (letter.charCodeAt(0) - 102)
    else if (letter >= 'G' && letter <= 'Y') count += letter.charCodeAt(0) - 70
    else {
      row += letter.repeat(count || 1)
      count = 0
    }
    if (row.length > digits) throw new Error(`A row has ${row.length} digits instead of ${digits}.`)
    if (row.length === digits) {
      rows.push(row)
      row = ''
    }
  }
  return rows
}
