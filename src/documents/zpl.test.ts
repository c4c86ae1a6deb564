import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hostileLabel } from '../../test/documents/hostile-labels.ts'
import { ARTICLE, LABEL } from '../../test/documents/label-examples.ts'
import { deliveryBarcodes } from './barcode-content.ts'
import { labelMarks } from './label/layout.ts'
import { type Label, labelPdf, labelZpl } from './label.ts'
import { isPlainLatin } from './script/line.ts'

async function textOfZpl(labels: readonly Label[]): Promise<string> {
  return (await labelZpl(labels)).toString()
}

test('a ZPL label has the same text as the PDF', async () => {
  const [read] = readZpl(await textOfZpl([LABEL]))
  const drawn = labelMarks(LABEL, ARTICLE).flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []))
  assert.deepEqual(read?.texts, drawn)
  assert.deepEqual(read?.size, { width: 800, height: 1200 })
})

test('the barcodes hold the article’s data', async () => {
  const own = { ...ARTICLE, barcodes: deliveryBarcodes('dlv_01JD') }
  const [carrier, ours] = readZpl(await textOfZpl([{ ...LABEL, articles: [ARTICLE, own] }]))
  assert.equal(carrier?.linear, '>;>8420301>61>891SPA>50041830001')
  assert.equal(carrier?.matrix, '_14203011_191SPA0041830001_192261123234207')
  assert.equal(ours?.linear, '>:dlv_01JD')
  assert.equal(ours?.matrix, 'dlv__01JD')
})

test('every article has its own label', async () => {
  const zpl = await textOfZpl([LABEL, { ...LABEL, articles: [ARTICLE, ARTICLE] }])
  assert.equal(readZpl(zpl).length, 3)
})

test('a long batch does not block the event loop', async () => {
  const labels = [{ ...LABEL, articles: Array.from({ length: 2_000 }, () => ARTICLE) }]
  for (const make of [labelZpl, labelPdf]) {
    let turns = 0
    let isDone = false
    const count = () => {
      turns += 1
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    await make(labels)
    isDone = true
    assert.ok(turns >= 4, `others had ${turns} turns while ${make.name} made 2,000 labels`)
  }
})

test('callers’ input cannot become printer commands', async () => {
  await fc.assert(
    fc.asyncProperty(hostileLabel, async (label) => {
      const zpl = await textOfZpl([label])
      assert.doesNotMatch(zpl, /[^\n\x20-\x7d]/)
      const read = readZpl(zpl)
      const drawn = labelMarks(label, label.articles[0]!).flatMap((mark) =>
        mark.kind === 'text' && isPlainLatin(mark) ? [mark.text] : [],
      )
      assert.deepEqual(
        read.map(({ texts }) => texts),
        [drawn],
      )
    }),
  )
})

const COMMANDS = /^(XA|CI28|PW|LL|LH|FO|GB|GD|A0N|FR|FB|FH|FD|FS|GFA|BY|BCN|BXN|XZ)(.*)$/s

/** Parses our ZPL as a printer does, command by command; throws at any other command. */
function readZpl(zpl: string) {
  const labels: {
    texts: string[]
    linear: string
    matrix: string
    size: { width: number; height: number }
  }[] = []
  let label = { texts: [] as string[], linear: '', matrix: '', size: { width: 0, height: 0 } }
  let kind = ''
  let hexadecimal = false
  for (const command of zpl.split('^').slice(1)) {
    const [, name, rest] = COMMANDS.exec(command.replace(/\n$/, '')) ?? []
    assert.ok(name !== undefined && rest !== undefined, `unknown command ^${command}`)
    if (name === 'XA') label = { texts: [], linear: '', matrix: '', size: { width: 0, height: 0 } }
    else if (name === 'PW') label.size.width = Number(rest)
    else if (name === 'LL') label.size.height = Number(rest)
    else if (name === 'A0N' || name === 'BCN' || name === 'BXN') kind = name
    else if (name === 'FH') hexadecimal = true
    else if (name === 'FS') hexadecimal = false
    else if (name === 'FD') {
      const value = hexadecimal ? decoded(rest) : rest
      if (kind === 'A0N') label.texts.push(value)
      else if (kind === 'BCN') label.linear = value
      else label.matrix = value
    } else if (name === 'XZ') labels.push(label)
  }
  return labels
}

function decoded(field: string): string {
  const bytes = field.replace(/_([0-9A-F]{2})/g, (_, pair: string) =>
    String.fromCharCode(Number.parseInt(pair, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
