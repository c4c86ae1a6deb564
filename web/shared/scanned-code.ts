/** Scanners put the kind of code before its content: `]C1`, `]d2`. */
const SYMBOLOGY = /^\][A-Za-z]\d/
/** The separator of two elements of a GS1 code; scanners that type drop it, or type it as `^]`. */
const SEPARATOR = String.fromCharCode(0x1d)
/** On our labels: the postcode (AI 420), then the article (AI 91), then in the matrix code its time (AI 92). */
const ARTICLE = /^420\d{4}91([A-Z0-9]{1,30}?)(?:92\d{12})?$/

/** The content of a label's barcode: the article of a GS1 code, or the whole text of any other. */
export function readScannedCode(text: string): string {
  const message = text.trim().replace(SYMBOLOGY, '').replaceAll(SEPARATOR, '').replaceAll('^]', '')
  return ARTICLE.exec(message)?.[1] ?? message
}
