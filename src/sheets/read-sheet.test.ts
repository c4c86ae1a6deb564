import assert from 'node:assert/strict'
import test from 'node:test'
import { strToU8, zipSync } from 'fflate'
import { readSheets } from './read-sheet.ts'
import { MAX_COLUMNS, MAX_ODDITIES, MAX_SHEETS, type Sheet, UnreadableSheet } from './sheet.ts'

/** A workbook as Excel writes it, with these number formats as styles 1, 2, 3 … */
function workbook(
  sheets: readonly { name: string; xml: string; state?: string }[],
  {
    formats = [],
    strings = [],
  }: { formats?: readonly (string | number)[]; strings?: readonly string[] } = {},
): Uint8Array {
  const named = formats.map((code, at) =>
    typeof code === 'string' ? { id: 164 + at, code } : { id: code, code: null },
  )
  const styles = `<styleSheet><numFmts>${named.map(({ id, code }) => (code ? `<numFmt numFmtId="${id}" formatCode="${code.replaceAll('"', '&quot;')}"/>` : '')).join('')}</numFmts>
    <cellXfs><xf numFmtId="0"/>${named.map(({ id }) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs></styleSheet>`
  const files: Record<string, Uint8Array> = {
    'xl/workbook.xml': strToU8(
      `<workbook xmlns:r="r"><sheets>${sheets.map(({ name, state }, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at}"${state ? ` state="${state}"` : ''}/>`).join('')}</sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      `<Relationships>${sheets.map((_, at) => `<Relationship Id="rId${at}" Target="worksheets/sheet${at}.xml"/>`).join('')}</Relationships>`,
    ),
    'xl/styles.xml': strToU8(styles),
    'xl/sharedStrings.xml': strToU8(
      `<sst>${strings.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    ),
  }
  for (const [at, { xml }] of sheets.entries())
    files[`xl/worksheets/sheet${at}.xml`] = strToU8(`<worksheet>${xml}</worksheet>`)
  return zipSync(files)
}

const cellsOf = ([sheet]: readonly Sheet[]) => sheet?.rows.map(({ cells }) => cells)
const data = (rows: string) => `<sheetData>${rows}</sheetData>`

test('a number is read as shown: percentages times 100, dates, padded postcodes, plain money', async () => {
  const cases: [format: string | number, value: string, shown: string][] = [
    ['0.0%', '0.085', '8.5%'],
    [9, '1', '100%'],
    [10, '0.1234', '12.34%'],
    ['0.0%;[Red]-0.0%', '0.29', '29%'],
    ['"$"#,##0.00', '1450', '1450'],
    ['[$AUD] #,##0.00', '14.499999999999998', '14.5'],
    ['_-$* #,##0.00_-', '9.5', '9.5'],
    ['0.00" kg"', '5', '5'],
    ['0000', '800', '0800'],
    ['General', '3000', '3000'],
    [14, '46000', '2025-12-09'],
    ['[$-C09]d/mm/yyyy', '46000', '2025-12-09'],
    ['dd/mm/yyyy hh:mm', '46000.5', '2025-12-09T12:00'],
    ['dd/mm/yyyy hh:mm', '46000', '2025-12-09T00:00'],
    ['dd/mm/yyyy hh:mm', '46000.58738425926', '2025-12-09T14:05:50'],
    ['h:mm', '0.75', '18:00'],
    [21, '0.58738425926', '14:05:50'],
  ]
  const row = cases.map(([, value], at) => `<c r="A${at + 1}" s="${at + 1}"><v>${value}</v></c>`)
  const bytes = workbook(
    [{ name: 'L', xml: data(row.map((cell, at) => `<row r="${at + 1}">${cell}</row>`).join('')) }],
    {
      formats: cases.map(([format]) => format),
    },
  )
  assert.deepEqual(
    cellsOf(await readSheets(bytes)),
    cases.map(([, , shown]) => [shown]),
  )
})

test('a text stays a text, even if it looks like a number', async () => {
  const xml = data(
    '<row r="2"><c r="A2" t="s"><v>0</v></c><c r="C2" t="inlineStr"><is><t>a &amp; b</t></is></c><c r="D2" t="b"><v>1</v></c></row>',
  )
  const [sheet] = await readSheets(workbook([{ name: 'L', xml }], { strings: ['0800'] }))
  assert.deepEqual(sheet?.rows, [{ row: 2, cells: ['0800', '', 'a & b', 'TRUE'] }])
})

test('hidden sheets are skipped; merged, hidden or unreadable cells are named', async () => {
  const xml = `<cols><col min="2" max="2" hidden="1"/></cols>${data(
    '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c></row><row r="2" hidden="1"><c r="A2"><v>3</v></c></row><row r="3"><c r="A3" s="1"><v>1450</v></c><c r="C3"><f>A1</f></c></row>',
  )}<mergeCells><mergeCell ref="A1:B1"/></mergeCells>`
  const sheets = await readSheets(
    workbook(
      [
        { name: 'Old', xml: data(''), state: 'hidden' },
        { name: 'L', xml },
      ],
      { formats: ['0.0,'] },
    ),
  )
  assert.deepEqual(
    sheets.map(({ name }) => name),
    ['L'],
  )
  const messages = sheets[0]?.oddities.map(({ message }) => message) ?? []
  for (const words of [
    'Row 2 is hidden',
    'A3 is shown in thousands',
    'C3 has a formula',
    'Column B is hidden',
    'A1:B1 is merged',
  ])
    assert.ok(
      messages.some((message) => message.startsWith(words)),
      `${words} in ${messages}`,
    )
})

test('one cell at the sheet’s far end is named at once', async () => {
  const xml = data(
    '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
  )
  const startMs = performance.now()
  await assert.rejects(readSheets(workbook([{ name: 'L', xml }])), /Cell XFD1048576 is far outside the list/)
  assert.ok(performance.now() - startMs < 5_000)
})

test('separators, quotes and encodings of common spreadsheet programs are read', async () => {
  const wanted = [
    ['kind', 'zone', 'price'],
    ['rate', 'Café, "inner"', '9,50'],
  ]
  const quoted = (delimiter: string) =>
    ['kind', 'zone', 'price'].join(delimiter) +
    '\r\n' +
    ['rate', '"Café, ""inner"""', '"9,50"'].join(delimiter) +
    '\r\n'
  const utf16 = (text: string, bom: boolean) => Buffer.from((bom ? '\ufeff' : '') + text, 'utf16le')
  const files: Record<string, Uint8Array> = {
    commas: Buffer.from(quoted(',')),
    semicolons: Buffer.from(quoted(';')),
    tabs: Buffer.from(quoted('\t')),
    'byte order mark': Buffer.from(`\ufeff${quoted(';')}`),
    'Windows-1252': Buffer.from(quoted(';'), 'latin1'),
    'UTF-16 with a mark': utf16(quoted('\t'), true),
    'UTF-16 without': utf16(quoted('\t'), false),
    'sep=': Buffer.from(`sep=;\r\n${quoted(';')}`),
  }
  for (const [name, bytes] of Object.entries(files))
    assert.deepEqual(cellsOf(await readSheets(bytes)), wanted, name)
})

test('a file that is not a sheet is rejected with the remedy', async () => {
  const cases: [Uint8Array, RegExp][] = [
    [Buffer.from('d0cf11e0a1b11ae1', 'hex'), /old \.xls.*save it as "Excel workbook/],
    [zipSync({ 'content.xml': strToU8('<x/>') }), /not an Excel workbook/],
    [Buffer.from('PK\u0003\u0004garbage'), /damaged/],
    [Buffer.from('a,b\n"open,1\n'), /Row \d has a quotation mark that is not closed/],
    [new Uint8Array(9 * 1024 * 1024), /larger than 8 MB/],
  ]
  for (const [bytes, message] of cases)
    await assert.rejects(
      readSheets(bytes),
      (error) => error instanceof UnreadableSheet && message.test(error.message),
    )
})

// Small files that are costly to read: before the limits, each took seconds to hours.

const WORKBOOK = '<workbook xmlns:r="r"><sheets><sheet name="L" r:id="a"/></sheets></workbook>'
const RELATIONS = '<Relationships><Relationship Id="a" Target="worksheets/sheet0.xml"/></Relationships>'

/** A workbook with one sheet; `parts` replaces files or adds them. */
function archive(sheetXml: string, parts: Readonly<Record<string, string>> = {}): Uint8Array {
  const files = {
    'xl/workbook.xml': WORKBOOK,
    'xl/_rels/workbook.xml.rels': RELATIONS,
    'xl/worksheets/sheet0.xml': `<worksheet>${sheetXml}</worksheet>`,
    ...parts,
  }
  return zipSync(Object.fromEntries(Object.entries(files).map(([path, xml]) => [path, strToU8(xml)])))
}

const rejects = (bytes: Uint8Array, message: RegExp) =>
  assert.rejects(
    readSheets(bytes),
    (error) => error instanceof UnreadableSheet && message.test(error.message),
  )

const ONE_ROW = data('<row r="1"><c r="A1"><v>1</v></c></row>')

test('a workbook without styles or shared strings is read', async () => {
  assert.deepEqual(cellsOf(await readSheets(archive(ONE_ROW))), [['1']])
})

test('a part that 100,000 sheets refer to is read once', async () => {
  const names = '<sheet name="L" r:id="a"/>'.repeat(100_000)
  const bytes = archive(data('<row><c><v>1</v></c></row>'.repeat(1_000)), {
    'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${names}</sheets></workbook>`,
  })
  assert.equal((await readSheets(bytes)).length, 1)
})

test('a workbook with more visible sheets than the limit is refused; hidden sheets do not count', async () => {
  const sheets = Array.from({ length: MAX_SHEETS }, (_, at) => ({ name: `L${at}`, xml: ONE_ROW }))
  const hidden = { name: 'Old', xml: ONE_ROW, state: 'hidden' }
  assert.equal((await readSheets(workbook([hidden, ...sheets]))).length, MAX_SHEETS)
  await rejects(
    workbook([...sheets, { name: 'Extra', xml: ONE_ROW }]),
    /more than 20 visible sheets\. Hide or delete the sheets that are not part of the list/,
  )
})

test('a number format longer than Excel’s limit is refused', async () => {
  const sheet = { name: 'L', xml: ONE_ROW }
  assert.deepEqual(cellsOf(await readSheets(workbook([sheet], { formats: ['['.repeat(255)] }))), [['1']])
  await rejects(
    workbook([sheet], { formats: ['['.repeat(2_000_000)] }),
    /number format of more than 255 characters.*Copy the list into a new workbook/,
  )
})

test('a part larger than its declared size is refused as damaged; a part above the limit, as too large', async () => {
  const bytes = Buffer.from(archive(' '.repeat(65 * 1024 * 1024)))
  const name = bytes.lastIndexOf('xl/worksheets/sheet0.xml')
  bytes.writeUInt32LE(1, name - 46 + 24)
  await rejects(bytes, /damaged/)
  await rejects(
    archive(' '.repeat(65 * 1024 * 1024)),
    /too large once it is unpacked\. Copy the list into a new/,
  )
})

test('an archive that declares 4 billion files is refused as damaged', async () => {
  const bytes = Buffer.from(archive(ONE_ROW))
  const end = bytes.length - 22
  const zip64 = Buffer.alloc(56)
  zip64.writeUInt32LE(0x06064b50, 0)
  zip64.writeUInt32LE(0xffffffff, 32)
  zip64.writeUInt32LE(bytes.readUInt32LE(end + 16), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeUInt32LE(end, 8)
  await rejects(Buffer.concat([bytes.subarray(0, end), zip64, locator, bytes.subarray(end)]), /damaged/)
})

test('hidden rows and columns and merged ranges are named up to a limit', async () => {
  const [hidden] = await readSheets(archive(data('<row hidden="1"/>'.repeat(5_000))))
  assert.equal(hidden?.oddities.length, MAX_ODDITIES + 1)
  assert.deepEqual(hidden?.oddities.at(-1), {
    row: 5_000,
    message: 'More cells down to row 5000 are hidden, merged or unreadable.',
  })
  const columns = '<col min="1" max="16384" hidden="1"/><col min="200" max="9" hidden="1"/>'.repeat(20_000)
  const [sheet] = await readSheets(archive(`<cols>${columns}</cols>${ONE_ROW}`))
  assert.deepEqual(sheet?.oddities, [{ row: 1, message: 'Column A is hidden.' }])
})

test('the cells, elements and characters of a workbook are limited', async () => {
  const wide = Array.from({ length: 2_501 }, (_, at) => `<row><c r="GR${at + 1}"><v>1</v></c></row>`).join('')
  const tooMany = /too many cells\. Delete its empty columns and rows/
  await rejects(archive(data(wide)), tooMany)
  await rejects(archive('<a/>'.repeat(2_200_000)), tooMany)
  const blanks = { 'xl/sharedStrings.xml': `<sst><si><t>${' '.repeat(100_000)}</t></si></sst>` }
  const uses = '<c t="s"><v>0</v></c>'.repeat(90)
  await rejects(
    archive(data(`<row>${uses}</row>`), blanks),
    /8 million characters of text\. Send it in parts/,
  )
})

test('1 MB of quotation marks in one line is read once', async () => {
  const marks = `"${'x"'.repeat(250_000)}${' '.repeat(500_000)},\n`
  await rejects(Buffer.from(marks), /Row 1 has a quotation mark that is not closed/)
  await rejects(Buffer.from('"1",'.repeat(250_000)), /Cell GS1 is far outside the list/)
})

test('a CSV file with text beyond the last column is refused; empty cells there are left out', async () => {
  const [sheet] = await readSheets(Buffer.from(`a,b\n1${','.repeat(MAX_COLUMNS)} \n`))
  assert.deepEqual(
    sheet?.rows.map(({ cells }) => cells.length),
    [2, MAX_COLUMNS],
  )
  await rejects(
    Buffer.from(`a,b\n1${','.repeat(MAX_COLUMNS)}x\n`),
    /Cell GS2 is far outside the list\. Delete it/,
  )
})
