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
  ...Object.entries(NAMES).map(([script, name]): [string, Label] => [`everything in ${script}`, labelIn(name)]),
]

test('on a whole label in any script, no line is drawn over another, over a rule or off the paper', async () => {
  const { width, height } = LABEL_SIZE
  for (const [script, label] of EVERY_LABEL) {
    const owner = new Uint8Array(width * height)
    const fields = drawZpl((await labelZpl([label])).toString()).filter(isText)
    assert.ok(fields.some(({ kind }) => kind === 'graphic') || script.includes('Vietnamese'), script)
    for (const [index, field] of fields.entries()) {
      const at = `${script}: the ${field.kind} at ${field.x}, ${field.y}`
      for (let y = field.y; y < field.y + field.height; y++) {
        for (let x = field.x; x < field.x + field.width; x++) {
          if (!field.isInked(x, y)) continue
          assert.ok(x >= 20 && y >= 0 && x < width - 20 && y < height, `${at} is outside the margins`)
          const other = fields[(owner[y * width + x] as number) - 1]
          assert.equal(other, undefined, `${at} is over the ${other?.kind} at ${other?.x}, ${other?.y}`)
          owner[y * width + x] = index + 1
        }
      }
    }
  }
})

/** Texts, and the rules between the sections: not the white text on black, nor its ground. */
function isText({ kind, isReversed, height }: DrawnField): boolean {
  return !isReversed && (kind !== 'box' || height === 3)
}
