import { Parser } from 'saxen'
import { MAX_FORMAT_LENGTH, plainNumber, type Shown, toShown } from './number-format.ts'
import {
  cellName,
  damagedWorkbook,
  farOutside,
  MAX_BYTES,
  MAX_COLUMNS,
  MAX_ODDITIES,
  MAX_SHEETS,
  type Sheet,
  type SheetLimits,
  type SheetRow,
  UnreadableSheet,
} from './sheet.ts'
import { openArchive, unzip } from './unzip.ts'

/** The visible sheets of a workbook, in their order, each cell as it is shown. */
export async function readXlsx(bytes: Uint8Array, limits: SheetLimits): Promise<Sheet[]> {
  const archive = await openArchive(bytes)
  if (!archive.entries.has('xl/workbook.xml'))
    throw new UnreadableSheet('It is not an Excel workbook. Save it as "Excel workbook (.xlsx)" or as CSV.')
  const workbook: Workbook = { parts: new Map(), budget: new Budget(limits) }
  let bytesLeft = limits.unpackedBytes
  const unpack = async (paths: readonly string[]): Promise<void> => {
    for (const path of paths) {
      const part = await unzip(archive, path, bytesLeft)
      if (!part) continue
      bytesLeft -= part.length
      workbook.parts.set(path, part)
    }
  }
  await unpack(SHARED_PARTS)
  const { sheets: named, isFrom1904 } = readWorkbook(workbook)
  const sheets = named.filter(({ path }) => archive.entries.has(path))
  if (sheets.length > MAX_SHEETS)
    throw new UnreadableSheet(
      `The workbook has more than ${MAX_SHEETS} visible sheets. Hide or delete the sheets that are not part of the list.`,
    )
  await unpack(sheets.map(({ path }) => path))
  const strings = readStrings(workbook)
  const styles = readStyles(workbook, isFrom1904)
  return sheets.map(({ name, path }) => ({
    name,
    ...readCells(workbook, path, strings, styles, limits.rows),
  }))
}

const SHARED_PARTS = [
  'xl/workbook.xml',
  'xl/_rels/workbook.xml.rels',
  'xl/sharedStrings.xml',
  'xl/styles.xml',
]

type Workbook = { parts: Map<string, Uint8Array>; budget: Budget }

/** A cell and its value are two elements, and a shared string two more. A million elements take about 2 s. */
const TAGS_PER_CELL = 4
/** For the styles and the list of sheets. */
const OTHER_TAGS = 100_000

/** What reading may still cost. A workbook of 1 MB can unpack to 1 GB, and show one string in a million cells. */
class Budget {
  #tagsLeft: number
  #cellsLeft: number
  /** A workbook may not show more text than a CSV file may contain. */
  #textLeft = MAX_BYTES

  constructor(limits: SheetLimits) {
    this.#tagsLeft = limits.cells * TAGS_PER_CELL + OTHER_TAGS
    this.#cellsLeft = limits.cells
  }

  spendTag(): void {
    this.#tagsLeft -= 1
    if (this.#tagsLeft < 0) throw tooManyCells()
  }

  spendCells(count: number): void {
    this.#cellsLeft -= count
    if (this.#cellsLeft < 0) throw tooManyCells()
  }

  spendText(length: number): void {
    this.#textLeft -= length
    if (this.#textLeft < 0)
      throw new UnreadableSheet('The workbook has more than 8 million characters of text. Send it in parts.')
  }
}

function tooManyCells(): UnreadableSheet {
  return new UnreadableSheet('The workbook has too many cells. Delete its empty columns and rows.')
}

type Tag = (name: string, attrs: () => Record<string, string>, decode: (text: string) => string) => void

/** Does nothing if the workbook has no such part: several are optional. Attributes are raw; `decode` decodes one. */
function walk(
  { parts, budget }: Workbook,
  path: string,
  open: Tag,
  close: (name: string) => void = () => {},
  text?: (words: string) => void,
): void {
  const part = parts.get(path)
  if (!part) return
  const local = (name: string) => name.slice(name.indexOf(':') + 1)
  const parser = new Parser()
  parser.on('openTag', (name, attrs, decode) => {
    budget.spendTag()
    open(local(name), attrs, decode)
  })
  parser.on('closeTag', (name) => close(local(name)))
  if (text) {
    parser.on('text', (words, decode) => text(decode(words)))
    parser.on('cdata', text)
  }
  parser.on('error', () => {
    throw damagedWorkbook()
  })
  parser.parse(new TextDecoder().decode(part))
}

const WORKSHEET = /^xl\/worksheets\/[^/]+\.xml$/

type SheetPart = { name: string; path: string }

function readWorkbook(workbook: Workbook): { sheets: SheetPart[]; isFrom1904: boolean } {
  const targets = new Map<string, string>()
  walk(workbook, 'xl/_rels/workbook.xml.rels', (name, attrs, decode) => {
    if (name !== 'Relationship') return
    const { Id = '', Target = '' } = attrs()
    const target = decode(Target)
    targets.set(decode(Id), target.startsWith('/') ? target.slice(1) : `xl/${target}`)
  })
  // By path, so that a part that several sheets refer to is read once.
  const sheets = new Map<string, SheetPart>()
  let isFrom1904 = false
  walk(workbook, 'xl/workbook.xml', (name, attrs, decode) => {
    if (name === 'workbookPr') isFrom1904 = ['1', 'true'].includes(attrs().date1904 ?? '')
    if (name !== 'sheet') return
    const given = attrs()
    if (given.state !== undefined && given.state !== 'visible') return
    const id = given['r:id'] ?? Object.entries(given).find(([key]) => key.endsWith(':id'))?.[1] ?? ''
    const path = targets.get(decode(id)) ?? ''
    if (!WORKSHEET.test(path) || sheets.has(path)) return
    sheets.set(path, { name: decode(given.name ?? ''), path })
  })
  return { sheets: [...sheets.values()], isFrom1904 }
}

function readStrings(workbook: Workbook): string[] {
  const strings: string[] = []
  let [inText, isPhonetic, current] = [false, false, '']
  walk(
    workbook,
    'xl/sharedStrings.xml',
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

function readStyles(workbook: Workbook, isFrom1904: boolean): Shown[] {
  const codes = new Map<number, string>()
  const styles: Shown[] = []
  const byFormat = new Map<number, Shown>()
  let inCells = false
  walk(
    workbook,
    'xl/styles.xml',
    (name, attrs, decode) => {
      if (name === 'numFmt') {
        const code = decode(attrs().formatCode ?? '')
        if (code.length > MAX_FORMAT_LENGTH)
          throw new UnreadableSheet(
            `The workbook has a number format of more than ${MAX_FORMAT_LENGTH} characters, which Excel does not allow. Copy the list into a new workbook and use that one.`,
          )
        codes.set(Number(attrs().numFmtId), code)
      }
      if (name === 'cellXfs') inCells = true
      if (name === 'xf' && inCells) {
        const id = Number(attrs().numFmtId ?? 0)
        const shown = byFormat.get(id) ?? toShown(id, codes.get(id), isFrom1904)
        byFormat.set(id, shown)
        styles.push(shown)
      }
    },
    (name) => {
      if (name === 'cellXfs') inCells = false
    },
  )
  return styles
}

type Cell = { column: number; row: number; type: string; style: number; hasFormula: boolean }
type Found = Pick<Sheet, 'rows' | 'oddities'>

function readCells(
  workbook: Workbook,
  path: string,
  strings: readonly string[],
  styles: readonly Shown[],
  maxRows: number,
): Found {
  const rows = new Map<number, string[]>()
  const oddities = new Oddities()
  // The last column of each range, by its first. Cells beyond MAX_COLUMNS are refused, so ranges there don't matter.
  const hiddenColumns = new Map<number, number>()
  const firstRowOf: number[] = new Array(MAX_COLUMNS).fill(Number.POSITIVE_INFINITY)
  let cell: Cell | null = null
  let [row, column, collects, value] = [0, 0, false, '']
  const keep = (text: string) => {
    workbook.budget.spendText(text.length)
    if (!cell || text.trim() === '') return
    if (!Number.isSafeInteger(cell.row) || cell.row < 1) throw damagedWorkbook()
    if (cell.row > maxRows || cell.column >= MAX_COLUMNS) throw farOutside(cell.column, cell.row)
    const cells = rows.get(cell.row) ?? []
    const { length } = cells
    cells[cell.column] = text
    workbook.budget.spendCells(cells.length - length)
    rows.set(cell.row, cells)
    firstRowOf[cell.column] = Math.min(firstRowOf[cell.column] as number, cell.row)
  }
  walk(
    workbook,
    path,
    (name, attrs) => {
      if (name === 'row') {
        const { r, hidden } = attrs()
        row = r === undefined ? row + 1 : Number(r)
        column = 0
        if (hidden === '1' || hidden === 'true') oddities.add(row, `Row ${row} is hidden.`)
      } else if (name === 'col') {
        const { min, max, hidden } = attrs()
        if ((hidden === '1' || hidden === 'true') && Number(min) >= 1 && Number(min) <= MAX_COLUMNS) {
          const from = Number(min) - 1
          hiddenColumns.set(from, Math.max(hiddenColumns.get(from) ?? from, Number(max) - 1))
        }
      } else if (name === 'mergeCell') {
        const ref = (attrs().ref ?? '').slice(0, MAX_RANGE_LENGTH)
        const [, first] = placeOf(ref)
        oddities.add(first, `${ref} is merged.`)
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
      const at = () => cellName((cell as Cell).column, (cell as Cell).row)
      if (shown === null) oddities.add(cell.row, `${at()} is shown in thousands: write the whole number.`)
      else if (cell.hasFormula && value === '')
        oddities.add(
          cell.row,
          `${at()} has a formula without its result: open the file in Excel and save it.`,
        )
      else keep(shown)
      cell = null
    },
    (words) => {
      if (collects) value += words
    },
  )
  for (const [from, to] of hiddenColumns) {
    const first = Math.min(...firstRowOf.slice(from, to + 1))
    if (Number.isFinite(first)) oddities.add(first, `Column ${cellName(from, 1).replace('1', '')} is hidden.`)
  }
  const sorted = [...rows].sort(([a], [b]) => a - b)
  return {
    rows: sorted.map(
      ([number, cells]): SheetRow => ({ row: number, cells: Array.from(cells, (text) => text ?? '') }),
    ),
    oddities: oddities.list(),
  }
}

const MAX_RANGE_LENGTH = '$XFD$1048576:$XFD$1048576'.length

/** At most MAX_ODDITIES, and one more that stands for the rest. */
class Oddities {
  readonly #all: { row: number; message: string }[] = []
  #lastRow: number | null = null

  add(row: number, message: string): void {
    if (this.#all.length < MAX_ODDITIES) this.#all.push({ row, message })
    else this.#lastRow = Math.max(this.#lastRow ?? 0, row)
  }

  list(): Sheet['oddities'] {
    if (this.#lastRow === null) return this.#all
    const rest = `More cells down to row ${this.#lastRow} are hidden, merged or unreadable.`
    return [...this.#all, { row: this.#lastRow, message: rest }]
  }
}

function shownText(
  { type, style }: { type: string; style: number },
  value: string,
  strings: readonly string[],
  styles: readonly Shown[],
): string | null {
  if (value === '') return ''
  if (type === 's') return strings[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (type === 'd') return value.slice(0, 19)
  if (type !== 'n') return value
  const number = Number(value)
  return Number.isFinite(number) ? (styles[style] ?? plainNumber)(number) : value
}

/** Column and row of `AB12` or `$AB$12`: the column from 0, the row from 1. */
function placeOf(name: string): [column: number, row: number] {
  let [column, row] = [0, 0]
  for (let at = 0; at < Math.min(name.length, MAX_CELL_NAME_LENGTH); at++) {
    const code = name.charCodeAt(at)
    if (code >= 65 && code <= 90 && row === 0) column = column * 26 + code - 64
    else if (code >= 48 && code <= 57) row = row * 10 + code - 48
    else if (code !== DOLLAR) break
  }
  return [Math.max(0, column - 1), row]
}
const DOLLAR = 36
const MAX_CELL_NAME_LENGTH = '$XFD$1048576'.length
