import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { textOf } from '../../../test/documents/printed.ts'
import { NAMES } from '../../../test/documents/script-examples.ts'
import { readGraphic } from '../../../test/documents/zpl-graphics.ts'
import { without } from '../../../test/tools.ts'
import { set } from '../label/place.ts'
import type { Text } from '../marks.ts'
import { pdfDocument } from '../pdf/document.ts'
import { charactersWithoutFont, printable } from '../pdf/printable.ts'
import { zplLabel } from '../zpl.ts'
import { hasFont } from './families.ts'
import { fontFor } from './fonts.ts'
import { isLatin, layOutLine, lineWidth } from './line.ts'
import { partsOf } from './line-breaks.ts'
import { loadShaper, shapeRun } from './shaper.ts'

const skip = without('pdftotext', 'pdftoppm')
const PAGE = { width: 800, height: 120 }

before(loadShaper)

function linesOf(text: string, max = 54): Text[] {
  return set({ x: 40, y: 30, width: 700, height: 80 }, text, { max, min: 14, lines: 2 }).marks
}

test('each script has a complete font, and no part of a name is transliterated', () => {
  for (const [script, name] of Object.entries(NAMES)) {
    assert.equal(printable(name, 'plain'), name.normalize('NFC'), script)
    assert.deepEqual(charactersWithoutFont(name, 'plain'), [], script)
    const { runs } = layOutLine('plain', name, false)
    for (const run of runs)
      if (run.kind === 'script')
        assert.ok(
          run.glyphs.every(({ id }) => id !== 0),
          `${script}: a glyph is missing`,
        )
  }
})

test('a name in each script can be read back from the PDF', { skip }, async () => {
  const pages = Object.values(NAMES).map((name) => linesOf(name))
  const read = textOf(await pdfDocument(PAGE, pages), { layout: false })
  for (const [index, [script, name]] of Object.entries(NAMES).entries()) {
    const letters = (text: string) =>
      [...text.normalize('NFKC')]
        .filter((letter) => /\p{L}/u.test(letter))
        .sort()
        .join('')
    assert.equal(letters(read[index] ?? ''), letters(name), `${script}: ${read[index]}`)
  }
})

test('Arabic letters are joined and run from right to left', () => {
  const font = fontFor('م')
  assert.ok(font)
  const joined = shapeRun('محمد', font, 500, true).glyphs
  const alone = [...'محمد'].map((letter) => shapeRun(letter, font, 500, true).glyphs[0]?.id)
  assert.deepEqual(joined.map(({ text }) => text).filter(Boolean), [...'محمد'].reverse())
  const first = joined.at(-1)
  assert.notEqual(first?.id, alone[0], 'the first letter, at the right, has its initial form')
  // A final dal after meem is joined; it differs from the one that stands alone.
  assert.notEqual(joined[0]?.id, alone[3])
})

test('a line with both directions is in reading order', () => {
  const shown = (text: string, rightToLeft: boolean) =>
    layOutLine('plain', text, rightToLeft).runs.map((run) =>
      run.kind === 'latin' ? run.text : run.glyphs.map((glyph) => glyph.text).join(''),
    )
  const reversed = (text: string) => [...text].reverse().join('')
  assert.deepEqual(shown('محمد 12B', true).join(''), `12B ${reversed('محمد')}`)
  assert.deepEqual(shown('Unit 7, שרה (12)', false).join(''), `Unit 7, (12) ${reversed('שרה')}`)
  assert.deepEqual(shown('שרה (Sarah)', true).join(''), `(Sarah) ${reversed('שרה')}`)
})

test('a phone number keeps the order of its groups after Arabic letters', () => {
  const { runs } = layOutLine('plain', 'الهاتف: 0491 570 157.', true)
  assert.deepEqual(
    runs.flatMap((run) => (run.kind === 'latin' ? [run.text] : [])),
    ['.', '0491 570 157', ' :'],
  )
})

test('a street beside an Arabic name keeps its number', () => {
  const line = (rightToLeft: boolean) =>
    layOutLine('plain', 'محمد, 7/12 Kerr St, Fitzroy VIC 3065', rightToLeft)
      .runs.map((run) => (run.kind === 'latin' ? run.text : '…'))
      .join('')
  assert.equal(line(true), '7/12 Kerr St, Fitzroy VIC 3065 ,…')
  assert.equal(line(false), '…, 7/12 Kerr St, Fitzroy VIC 3065')
})

test('a line that starts with a fullwidth bracket prints it, at the measured width', () => {
  for (const [text, family] of [
    ['（3B单元）', 'noto-sans-sc'],
    ['（3Bさくら', 'noto-sans-jp'],
  ] as const) {
    const [first] = layOutLine('plain', text, false).runs
    assert.ok(first?.kind === 'script' && first.font.family.name === family, text)
    assert.equal(lineWidth('plain', '（'), first.width)
  }
  assert.equal(printable('157，谢谢 Ａ１～', 'plain'), '157，谢谢 A1~')
  assert.equal(printable('Unit ７，８８', 'plain'), 'Unit 7,88')
})

test('text without spaces is broken between words, and punctuation stays with the word before it', () => {
  assert.deepEqual(partsOf('请放在门口，谢谢。'), ['请', '放', '在', '门', '口，', '谢', '谢。'])
  assert.deepEqual(partsOf('กรุณาวางไว้'), ['กรุณา', 'วาง', 'ไว้'])
  assert.deepEqual(partsOf('Wattle'), ['Wattle'])
  const long = '请放在门口不要按门铃谢谢'.repeat(4)
  const marks = set({ x: 0, y: 0, width: 400, height: 300 }, long, { max: 32, min: 14, lines: 20 }).marks
  assert.equal(marks.map(({ text }) => text).join(''), long)
  assert.ok((marks[0]?.size ?? 0) > 14, 'it need not shrink to the smallest type')
})

test('lines of any mixture of scripts fit their width and lose no letter', () => {
  const word = fc.constantFrom(...Object.values(NAMES), '12B', '(Unit 7)', 'Wattle', '请放在门口')
  const words = fc.array(word, { minLength: 1, maxLength: 12 }).map((all) => all.join(' '))
  fc.assert(
    fc.property(words, fc.integer({ min: 200, max: 700 }), (text, width) => {
      const { marks } = set({ x: 0, y: 0, width, height: 900 }, text, { max: 40, min: 14, lines: 40 })
      for (const { face, text: line, size } of marks)
        assert.ok((lineWidth(face, line) * size) / 1000 <= width * 1.01, `${line} is wider than ${width}`)
      const letters = (value: string) => value.normalize('NFC').replace(/\s/g, '')
      assert.equal(letters(marks.map((mark) => mark.text).join('')), letters(text))
    }),
    { numRuns: 60, seed: 32 },
  )
})

test('no line of a script is drawn over the lines above and below it', () => {
  for (const [script, name] of Object.entries(NAMES)) {
    for (const mark of linesOf(name, 40).filter(({ face, text }) => !isLatin(face, text))) {
      const [graphic] = readGraphic(zplLabel(PAGE, [mark]))
      assert.ok(graphic, script)
      const above = mark.y - graphic.y
      const below = graphic.y + graphic.height - (mark.y + 0.686 * mark.size)
      assert.ok(
        above <= 0.3 * mark.size,
        `${script} is ${above} dots above the capitals of size ${mark.size}`,
      )
      assert.ok(
        below <= 0.42 * mark.size,
        `${script} is ${below} dots below the baseline of size ${mark.size}`,
      )
    }
  }
})

test('ZPL prints the same dots as the PDF', { skip }, async () => {
  for (const [script, name] of Object.entries(NAMES).filter(([, text]) => !isLatin('plain', text))) {
    const marks = linesOf(name)
    const pdf = dotsOf(await pdfDocument(PAGE, [marks]))
    const graphics = readGraphic(zplLabel(PAGE, marks))
    const zpl = (x: number, y: number) => graphics.some((graphic) => graphic.isInked(x, y))
    // Where edges are rounded to whole dots, they may be one dot apart.
    const isNear = (inked: typeof zpl, x: number, y: number) =>
      [-1, 0, 1].some((dy) => [-1, 0, 1].some((dx) => inked(x + dx, y + dy)))
    let [same, either] = [0, 0]
    for (let y = 1; y < PAGE.height - 1; y++) {
      for (let x = 1; x < PAGE.width - 1; x++) {
        const [inZpl, inPdf] = [zpl(x, y), pdf(x, y)]
        if (!inZpl && !inPdf) continue
        either += 1
        if (inZpl ? isNear(pdf, x, y) : isNear(zpl, x, y)) same += 1
      }
    }
    assert.ok(either > 500, `${script} has ink`)
    assert.ok(same / either > 0.98, `${script}: ${same} of ${either} dots are the same`)
  }
})

test('packages list the characters that their fonts have', () => {
  for (const text of ['王小明陳曄濵辻髙', '김민준', 'さくら', '䶮𠮷'])
    for (const character of text) assert.equal(hasFont(character), fontFor(character) !== null, character)
})

/** Whether a page rendered at 203 dpi, grey, is dark at a dot. */
function dotsOf(pdf: Buffer): (x: number, y: number) => boolean {
  const folder = mkdtempSync(join(tmpdir(), 'script-'))
  try {
    writeFileSync(join(folder, 'page.pdf'), pdf)
    const size = ['-scale-to-x', String(PAGE.width), '-scale-to-y', String(PAGE.height)]
    execFileSync('pdftoppm', [
      '-gray',
      '-singlefile',
      ...size,
      join(folder, 'page.pdf'),
      join(folder, 'page'),
    ])
    const image = readFileSync(join(folder, 'page.pgm'))
    const pixels = image.subarray(image.length - PAGE.width * PAGE.height)
    return (x, y) => (pixels[y * PAGE.width + x] as number) < 148
  } finally {
    rmSync(folder, { recursive: true })
  }
}
