import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hostileLabel } from '../../test/documents/hostile-labels.ts'
import { LABEL } from '../../test/documents/label-examples.ts'
import { pagesOf, textOf, unpacked } from '../../test/documents/printed.ts'
import { without } from '../../test/tools.ts'
import { LABEL_SIZE, labelMarks } from './label/layout.ts'
import { type Label, labelPdf } from './label.ts'
import type { Mark, Text } from './marks.ts'
import { CAPITALS } from './pdf/face.ts'
import { lineWidth } from './script/line.ts'
import { loadShaper } from './script/shaper.ts'

const skip = without('pdfinfo', 'pdftotext', 'qpdf')

test('hostile text gives one valid page for each article, without active content', {
  skip,
}, async () => {
  const labels = fc.sample(hostileLabel, { numRuns: 60, seed: 1 })
  const pdf = await labelPdf(labels)
  assert.equal(pagesOf(pdf).count, labels.length)
  assert.doesNotMatch(unpacked(pdf), /\/(JS|JavaScript|OpenAction|AA|URI|Launch|Annots|EmbeddedFile|XFA)\b/)
  for (const [index, page] of textOf(pdf).entries()) {
    const { state, postCode } = labels[index]!.to
    assert.match(page, new RegExp(`${state} ${postCode}`))
    // pdftotext marks the direction of Arabic and Hebrew by these three.
    assert.doesNotMatch(page.replace(/[\u202a-\u202c]/g, ''), /(?![\u200c\u200d])[\p{Cf}\p{Co}]/u)
  }
})

test('hostile text is printed as text', { skip }, async () => {
  const reference = ') Tj /JS (app.alert(1))'
  const [page] = textOf(await labelPdf([{ ...LABEL, reference }]))
  assert.ok(page?.includes(reference), page)
})

test('no text runs off the label or over other text, whatever its content', async () => {
  await loadShaper()
  fc.assert(
    fc.property(hostileLabel, (label) => {
      const marks = label.articles.flatMap((article) => labelMarks(label, article))
      const texts = marks.filter((mark) => mark.kind === 'text')
      const rules = marks.filter((mark) => mark.kind === 'fill' && mark.height < 10)
      for (const text of texts) {
        const { left, right, top, bottom } = extent(text)
        const where = `${text.text} at ${left},${top}–${right},${bottom}`
        assert.ok(left >= 0 && right <= LABEL_SIZE.width && top >= 0 && bottom <= LABEL_SIZE.height, where)
        for (const { y } of rules) assert.ok(bottom <= y || top >= y + 3, `${where} on the rule at ${y}`)
      }
      for (const [index, a] of texts.entries()) {
        for (const b of texts.slice(index + 1)) assert.ok(!overlap(a, b), `${a.text} over ${b.text}`)
      }
    }),
    { numRuns: 60 },
  )
})

test('letters that the typeface lacks become plain letters; other scripts stay, with a transliteration beside them', async () => {
  await loadShaper()
  const cases = [
    ['Žofia Nguyễn', 'Žofia Nguyễn'],
    ['Ｆｉｔｚｒｏｙ', 'Fitzroy'],
    ['李 Bruce', '李 Bruce'],
    ['李小龍', '李小龍 (Li Xiao Long)'],
    ['Дмитрий Шевченко', 'Дмитрий Шевченко (Dmitriy Shevchenko)'],
    ['Γιώργος', 'Γιώργος (Giorgos)'],
    ['김민준', '김민준 (Gim Min Jun)'],
    ['さくら', 'さくら (sakura)'],
    ['محمد', 'محمد (mhmd)'],
    ['שרה', 'שרה (srh)'],
    ['สมชาย', 'สมชาย (smchay)'],
    ['प्रिया', 'प्रिया (priya)'],
    ['می\u200cخواهم', 'می\u200cخواهم (mykhwhm)'],
    ['﷽', 'bismillah al-rahman al-rahim'],
    ['\ue000', '?'],
    ['a\u202eb\u0000c\u200bd', 'ab cd'],
    ['e\u0301\u0301\u0301\u0301', 'é'],
    ['😀', ':grinning:'],
  ] as const
  for (const [name, expected] of cases) {
    const texts = textsOf({ ...LABEL, to: { ...LABEL.to, name } }).map(({ text }) => text)
    assert.ok(
      texts.includes(expected) || texts.join(' ').includes(` ${expected} `),
      `${name}: ${texts.join(' | ')}`,
    )
  }
})

function textsOf(label: Label): Text[] {
  return label.articles
    .flatMap((article) => labelMarks(label, article))
    .filter((mark: Mark) => mark.kind === 'text')
}

/** The inked area of a text line, from capitals to baseline. */
function extent({ x, y, width, size, face, align, text }: Text) {
  const ink = (lineWidth(face, text) * size) / 1000
  const left = align === 'left' ? x : x + (width - ink) / (align === 'centre' ? 2 : 1)
  return { left, right: left + ink, top: y, bottom: y + size * CAPITALS }
}

function overlap(a: Text, b: Text): boolean {
  const [one, other] = [extent(a), extent(b)]
  const across = one.left < other.right - 1 && other.left < one.right - 1
  return across && one.top < other.bottom - 1 && other.top < one.bottom - 1
}
