/** Scanners say which kind of code they saw before what it says: `]C1`, `]d2`. */
const SYMBOLOGY = /^\][A-Za-z]\d/
/** Stands between two elements of a GS1 code; scanners that type drop it, or type it as `^]`. */
const SEPARATOR = String.fromCharCode(0x1d)
/** On our labels: the postcode (AI 420), then the article (AI 91), then in the matrix when it was made (AI 92). */
const ARTICLE = /^420\d{4}91([A-Z0-9]{1,30}?)(?:92\d{12})?$/

/** What a label's barcode names: the article of a GS1 code, or the whole text of any other. */
export function scannedCode(text: string): string {
  const message = text.trim().replace(SYMBOLOGY, '').replaceAll(SEPARATOR, '').replaceAll('^]', '')
  return ARTICLE.exec(message)?.[1] ?? message
}
