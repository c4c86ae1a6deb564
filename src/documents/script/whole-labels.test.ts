import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type DrawnField, drawZpl } from '../../../test/documents/drawn-zpl.ts'
import { ARTICLE, LABEL } from '../../../test/documents/label-examples.ts'
import { textOf } from '../../../test/documents/printed.ts'
import { NAMES } from '../../../test/documents/script-examples.ts'
import { labelWritten, WRITTEN } from '../../../test/documents/script-labels.ts'
import { without } from '../../../test/tools.ts'
import { LABEL_SIZE } from '../label/layout.ts'
import { type Label, labelPdf, labelZpl } from '../label.ts'
import { loadShaper } from './shaper.ts'

const skip = without('pdftotext')

before(loadShaper)

/** Every text that a shop sends, in one script. */
function labelIn(name: string): Label {
  const words = `${name} ${name}`
  const article = { ...ARTICLE, description: words }
  return {
    ...LABEL,
    from: { ...LABEL.from, name },
    to: { ...LABEL.to, name, company: words, lines: [`7 ${name} St`] },
    specialInstructions: `${words} ${words}`,
    pickupInstructions: words,
    articles: [article],
  }
}

const EVERY_LABEL: [string, Label][] = [
  ...Object.entries(WRITTEN).map(([script, written]): [string, Label] => [script, labelWritten(written)]),
  ...Object.entries(NAMES).map(([script, name]): [string, Label] => [
    `everything in ${script}`,
    labelIn(name),
  ]),
]

test('on a whole label in any script, no line is drawn over another, over a rule or off the paper', async () => {
  const { width, height } = LABEL_SIZE
  for (const [script, label] of EVERY_LABEL) {
    const owner = new Uint8Array(width * height)
    const fields = drawZpl((await labelZpl([label])).toString()).filter(isText)
    assert.ok(fields.some(({ kind }) => kind === 'graphic') || script.includes('Vietnamese'), script)
    for (const [index, field] of fields.entries()) {
      const at = `${script}: the ${field.kind} at ${field.x}, ${field.y}`
      for (const [x, y] of inkOf(field)) {
        if (x < 20 || y < 0 || x >= width - 20 || y >= height) assert.fail(`${at} is outside the margins`)
        const other = fields[(owner[y * width + x] as number) - 1]
        if (other) assert.fail(`${at} is over the ${other.kind} at ${other.x}, ${other.y}`)
        owner[y * width + x] = index + 1
      }
    }
  }
})

function* inkOf({ x: left, y: top, width, height, isInked }: DrawnField): Generator<[number, number]> {
  for (let y = top; y < top + height; y++)
    for (let x = left; x < left + width; x++) if (isInked(x, y)) yield [x, y]
}

/** Texts, and the rules between the sections: not the white text on black, nor its ground. */
function isText({ kind, isReversed, height }: DrawnField): boolean {
  return !isReversed && (kind !== 'box' || height === 3)
}

test('each name and instruction is read back from the PDF of its label, to the last bracket', {
  skip,
}, async () => {
  const pages = textOf(await labelPdf(Object.values(WRITTEN).map(labelWritten)), { layout: false })
  for (const [index, [script, { name, instructions }]] of Object.entries(WRITTEN).entries()) {
    const page = lettersOf(pages[index] ?? '')
    for (const text of [name, instructions])
      for (const [letter, count] of lettersOf(text))
        assert.ok((page.get(letter) ?? 0) >= count, `${script}: ${letter} of ${text} in ${pages[index]}`)
  }
})

/** How often each letter, digit and bracket is in a text; compatibility forms as the letters that they stand for. */
function lettersOf(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const letter of text.normalize('NFKC'))
    if (/[\p{L}\p{N}\p{Ps}\p{Pe}]/u.test(letter)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  return counts
}
