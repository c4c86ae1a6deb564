/** A document that could not be merged: its index in the input, and why. */
export type Unmergeable = { index: number; why: string }

/**
 * Merges the pages of all documents, in order. A single document is returned unchanged; the library that
 * parses foreign PDFs is loaded only for more.
 */
export async function mergePdfs(documents: readonly Buffer[]): Promise<Buffer | Unmergeable> {
  if (documents.length === 1) return documents[0] as Buffer
  const { PDFDocument } = await import('@cantoo/pdf-lib')
  const merged = await PDFDocument.create({ updateMetadata: false })
  for (const [index, bytes] of documents.entries()) {
    try {
      const document = await PDFDocument.load(bytes, { updateMetadata: false, throwOnInvalidObject: true })
      if (document.getPageCount() === 0) return { index, why: 'it has no pages' }
      for (const page of await merged.copyPages(document, document.getPageIndices())) merged.addPage(page)
    } catch (error) {
      return { index, why: error instanceof Error ? error.message : String(error) }
    }
  }
  return Buffer.from(await merged.save())
}
