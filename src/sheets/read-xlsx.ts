import { unzipSync } from 'fflate'
import { Parser } from 'saxen'
import { plainNumber, type Shown, shownBy } from './number-format.ts'
import {
  cellName,
  MAX_COLUMNS,
  type Sheet,
  type SheetLimits,
  type SheetRow,
  UnreadableSheet,
} from './sheet.ts'

const READ =
  /^xl\/(?:workbook\.xml|styles\.xml|sharedStrings\.xml|_rels\/workbook\.xml\.rels|worksheets\/[^/]+\.xml)$/

type Parts = Readonly<Record<string, Uint8Array>>

/** The visible sheets of a workbook, in their order, each cell as it is shown. */
export function readXlsx(bytes: Uint8Array, limits: SheetLimits): Sheet[] {
  const parts = unpack(bytes, limits.unpackedBytes)
  if (!parts['xl/workbook.xml'])
    throw new UnreadableSheet('It is not an Excel workbook. Save it as "Excel workbook (.xlsx)" or as CSV.')
  const { sheets, isFrom1904 } = readWorkbook(parts)
  const strings = readStrings(parts)
  const styles = readStyles(parts, isFrom1904)
  return sheets.flatMap(({ name, path }) => {
    const xml = parts[path]
    return xml ? [{ name, ...readCells(textOf(xml), strings, styles, limits.rows) }] : []
  })
}

function unpack(bytes: Uint8Array, maxBytes: number): Parts {
  let size = 0
  try {
    return unzipSync(bytes, {
      filter({ name, originalSize }) {
        if (!READ.test(name)) return false
        size += originalSize
        if (size > maxBytes) throw new UnreadableSheet('The workbook is too large once it is unpacked.')
        return true
      },
    })
  } catch (error) {
    if (error instanceof UnreadableSheet) throw error
    throw new UnreadableSheet('The workbook is damaged. Open it, save it again and try once more.')
  }
}

function textOf(part: Uint8Array | undefined): string {
  return part ? new TextDecoder().decode(part) : ''
}

type Tag = (name: string, attrs: () => Record<string, string>) => void

function walk(
  xml: string,
  open: Tag,
  close: (name: string) => void = () => {},
  text?: (words: string) => void,
): void {
  const local = (name: string) => name.slice(name.indexOf(':') + 1)
  const parser = new Parser()
  parser.on('openTag', (name, attrs, decode) => {
    open(local(name), () => {
      const given = attrs()
      return Object.fromEntries(Object.entries(given).map(([key, value]) => [key, decode(value)]))
    })
  })
  parser.on('closeTag', (name) => close(local(name)))
  if (text) {
    parser.on('text', (words, decode) => text(decode(words)))
    parser.on('cdata', text)
  }
  parser.on('error', () => {
    throw new UnreadableSheet('The workbook is damaged. Open it, save it again and try once more.')
  })
  parser.parse(xml)
}

function readWorkbook(parts: Parts): { sheets: { name: string; path: string }[]; isFrom1904: boolean } {
  const targets = new Map<string, string>()
  walk(textOf(parts['xl/_rels/workbook.xml.rels']), (name, attrs) => {
    if (name !== 'Relationship') return
    const { Id = '', Target = '' } = attrs()
    targets.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`)
  })
  const sheets: { name: string; path: string }[] = []
  let isFrom1904 = false
  walk(textOf(parts['xl/workbook.xml']), (name, attrs) => {
    if (name === 'workbookPr') isFrom1904 = ['1', 'true'].includes(attrs().date1904 ?? '')
    if (name !== 'sheet') return
    const given = attrs()
    const id = given['r:id'] ?? Object.entries(given).find(([key]) => key.endsWith(':id'))?.[1] ?? ''
    if (given.state === undefined || given.state === 'visible')
      sheets.push({ name: given.name ?? '', path: targets.get(id) ?? '' })
  })
  return { sheets, isFrom1904 }
}

function readStrings(parts: Parts): string[] {
  const strings: string[] = []
  let [inText, isPhonetic, current] = [false, false, '']
  walk(
    textOf(parts['xl/sharedStrings.xml']),
    (name) => {
      if (name === 'si') current = ''
      if (name === 'rPh') isPhonetic = true
      if (name === 't') inText = !isPhonetic
    },
    (name) => {
      if (name === 't') inText = false
      if (name === 'rPh') isPhonetic = false
      if (name === 'si') strings.push(current)
    },
    (words) => {
      if (inText) current += words
    },
  )
  return strings
}

function readStyles(parts: Parts, isFrom1904: boolean): Shown[] {
  const codes = new Map<number, string>()
  const styles: Shown[] = []
  let inCells = false
  walk(
    textOf(parts['xl/styles.xml']),
    (name, attrs) => {
      if (name === 'numFmt') codes.set(Number(attrs().numFmtId), attrs().formatCode ?? '')
      if (name === 'cellXfs') inCells = true
      if (name === 'xf' && inCells) {
        const id = Number(attrs().numFmtId ?? 0)
        styles.push(shownBy(id, codes.get(id), isFrom1904))
      }
    },
    (name) => {
      if (name === 'cellXfs') inCells = false
    },
  )
  return styles
}

type Found = Pick<Sheet, 'rows' | 'oddities'>

function readCells(
  xml: string,
  strings: readonly string[],
  styles: readonly Shown[],
  maxRows: number,
): Found {
  const rows = new Map<number, string[]>()
  const oddities: { row: number; message: string }[] = []
  const hiddenColumns: [number, number][] = []
  const merged: string[] = []
  let cell: { column: number; row: number; type: string; style: number; hasFormula: boolean } | null = null
  let [row, column, collects, value] = [0, 0, false, '']
  const keep = (text: string) => {
    if (!cell || text.trim() === '') return
    const name = cellName(cell.column, cell.row)
    if (cell.row > maxRows || cell.column >= MAX_COLUMNS)
      throw new UnreadableSheet(
        `Cell ${name} is far outside the list. Delete it, or its whole row and column.`,
      )
    const cells = rows.get(cell.row) ?? []
    cells[cell.column] = text
    rows.set(cell.row, cells)
  }
  walk(
    xml,
    (name, attrs) => {
      if (name === 'row') {
        const { r, hidden } = attrs()
        row = r === undefined ? row + 1 : Number(r)
        column = 0
        if (hidden === '1' || hidden === 'true') oddities.push({ row, message: `Row ${row} is hidden.` })
      } else if (name === 'col') {
        const { min, max, hidden } = attrs()
        if (hidden === '1' || hidden === 'true') hiddenColumns.push([Number(min) - 1, Number(max) - 1])
      } else if (name === 'mergeCell') {
        merged.push(attrs().ref ?? '')
      } else if (name === 'c') {
        const { r, t = 'n', s } = attrs()
        if (r !== undefined) [column, row] = placeOf(r)
        cell = { column, row, type: t, style: Number(s ?? 0), hasFormula: false }
        value = ''
        column += 1
      } else if (name === 'f' && cell) cell.hasFormula = true
      else if (name === 'v' || name === 't') collects = cell !== null
    },
    (name) => {
      if (name === 'v' || name === 't') collects = false
      if (name !== 'c' || !cell) return
      const shown = shownText(cell, value, strings, styles)
      const at = cellName(cell.column, cell.row)
      if (shown === null)
        oddities.push({ row: cell.row, message: `${at} is shown in thousands: write the whole number.` })
      else if (cell.hasFormula && value === '')
        oddities.push({
          row: cell.row,
          message: `${at} has a formula without its result: open the file in Excel and save it.`,
        })
      else keep(shown)
      cell = null
    },
    (words) => {
      if (collects) value += words
    },
  )
  for (const [from, to] of hiddenColumns) {
    const used = [...rows].find(([, cells]) => cells.slice(from, to + 1).some((text) => text !== undefined))
    if (used)
      oddities.push({ row: used[0], message: `Column ${cellName(from, 1).replace('1', '')} is hidden.` })
  }
  for (const range of merged) {
    const [, first = 0] = placeOf(range.split(':')[0] ?? '')
    oddities.push({ row: first, message: `${range} is merged.` })
  }
  const sorted = [...rows].sort(([a], [b]) => a - b)
  return {
    rows: sorted.map(
      ([number, cells]): SheetRow => ({ row: number, cells: Array.from(cells, (text) => text ?? '') }),
    ),
    oddities,
  }
}

function shownText(
  { type, style }: { type: string; style: number },
  value: string,
  strings: readonly string[],
  styles: readonly Shown[],
): string | null {
  if (type === 's') return strings[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (type === 'd') return value.slice(0, 16)
  if (type !== 'n' || value === '') return value
  const number = Number(value)
  return Number.isFinite(number) ? (styles[style] ?? plainNumber)(number) : value
}

/** Column and row of `AB12`: the column from 0, the row from 1. */
function placeOf(name: string): [column: number, row: number] {
  const [, letters = '', digits = ''] = /^\$?([A-Z]{1,3})\$?(\d{1,7})/.exec(name) ?? []
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
  return [Math.max(0, column), Number(digits)]
}
