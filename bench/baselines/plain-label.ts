import bwipjs from 'bwip-js'
import PDFDocument from 'pdfkit'
import type { Label } from '../../src/documents/label.ts'

/** 100 × 150 mm in points. */
const SIZE: [number, number] = [283.46, 425.2]

/** The same label in the simplest form: pdfkit, its built-in font, barcodes as pictures. */
export async function plainLabel(label: Label): Promise<Buffer> {
  const document = new PDFDocument({ size: SIZE, margin: 12, autoFirstPage: false })
  const chunks: Buffer[] = []
  document.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise((done) => document.once('end', done))
  for (const article of label.articles) {
    document.addPage()
    document.font('Helvetica-Bold').fontSize(16).text(label.carrierName)
    document.fontSize(12).text(`${label.serviceCode} ${label.deliveryType}`)
    document.font('Helvetica').fontSize(8)
    document.text(`${label.reference} ${label.consignmentNumber} ${label.deliveryId}`)
    document.text(`${label.despatchDate} ${label.window.fromMs} ${label.window.toMs}`)
    document.text(`${article.number}/${article.of} ${article.parcelReference} ${article.description ?? ''}`)
    document.text(`${article.weightKg} kg ${article.lengthCm} × ${article.widthCm} × ${article.heightCm} cm`)
    for (const party of [label.from, label.to]) {
      document.fontSize(party === label.to ? 12 : 8)
      document.text(`${party.name} ${party.phone ?? ''}`)
      for (const line of party.lines) document.text(line)
      document.text(`${party.suburb} ${party.state} ${party.postCode}`)
    }
    document.fontSize(8).text(label.specialInstructions ?? '')
    const { linear, matrix } = article.barcodes
    document.image(
      await bwipjs.toBuffer({ bcid: linear.kind, text: linear.text, scale: 2, height: 20 }),
      20,
      280,
      { width: 180 },
    )
    document.image(
      await bwipjs.toBuffer({ bcid: matrix.kind.replace('-', ''), text: matrix.text, scale: 3 }),
      215,
      280,
      {
        width: 50,
      },
    )
    document.text(article.articleId, 20, 400)
  }
  document.end()
  await ended
  return Buffer.concat(chunks)
}
