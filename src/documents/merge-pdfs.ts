/** A document that could not be taken in: its place in what was given, and why. */
export type Unmergeable = { index: number; why: string }

/**
 * The pages of all documents in their order, as one. Who asks for one alone gets it as it is; the software that reads
 * strangers' PDFs is loaded only for more.
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
