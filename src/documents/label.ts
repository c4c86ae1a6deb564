import type { Label } from './label/data.ts'
import { LABEL_SIZE, labelMarks } from './label/layout.ts'
import { pdfDocument } from './pdf/document.ts'
import { zplLabel } from './zpl.ts'

export type { Label, LabelArticle, Party } from './label/data.ts'

/** The labels of any number of deliveries as one PDF: a page of 100 × 150 mm for each article, in order. */
export async function labelPdf(labels: readonly Label[]): Promise<Buffer> {
  return pdfDocument(LABEL_SIZE, pages(labels))
}

/** The same labels in ZPL II for a 203 dpi printer: one `^XA … ^XZ` for each article. */
export function labelZpl(labels: readonly Label[]): string {
  return [...pages(labels)].map((marks) => zplLabel(LABEL_SIZE, marks)).join('')
}

function* pages(labels: readonly Label[]) {
  for (const label of labels) {
    for (const article of label.articles) yield labelMarks(label, article)
  }
}
