import type { Label } from './label/data.ts'
import { LABEL_SIZE, labelMarks } from './label/layout.ts'
import { pdfDocument } from './pdf/document.ts'
import { loadShaperFor } from './script/load-shaper-for.ts'
import { turnsOf } from './turns.ts'
import { zplLines } from './zpl.ts'

export type { Label, LabelArticle, Party } from './label/data.ts'

/** Label size 100 × 150 mm. The labels of any number of deliveries as one PDF: a page for each article, in order. */
export async function labelPdf(labels: readonly Label[]): Promise<Buffer> {
  await loadShaperFor(labels)
  return pdfDocument(LABEL_SIZE, pages(labels))
}

/** The same labels in ZPL II for a 203 dpi printer: one `^XA … ^XZ` for each article. */
export async function labelZpl(labels: readonly Label[]): Promise<Buffer> {
  await loadShaperFor(labels)
  const made: Buffer[] = []
  const turn = turnsOf()
  for (const marks of pages(labels)) {
    await turn()
    let label = ''
    for (const line of zplLines(LABEL_SIZE, marks)) {
      label += line
      await turn()
    }
    made.push(Buffer.from(label))
  }
  return Buffer.concat(made)
}

function* pages(labels: readonly Label[]) {
  for (const label of labels) {
    for (const article of label.articles) yield labelMarks(label, article)
  }
}
