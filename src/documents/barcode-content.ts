/** The contents of an article's two barcodes. `text` of the GS1 kinds has its (AI) in brackets. */
export type Barcodes = {
  linear: { kind: 'gs1-128' | 'code128'; text: string }
  matrix: { kind: 'gs1-datamatrix' | 'datamatrix'; text: string }
}

/**
 * The barcodes of a carrier's article, as GS1 element strings.
 *
 * AI 91 (company internal) contains the article id, and AI 420 the destination postcode. There is no AI 01: a
 * GTIN belongs to the company it was issued to, and GS1 does not allow AI 8008 (made at) without one. So the
 * time of creation is in AI 92 (company internal) as YYMMDDhhmmss in UTC. An id of more than 20 characters
 * would need bars finer than 0.25 mm beside its postcode: it is printed alone, as plain Code 128, and the
 * matrix still contains everything.
 *
 * @throws RangeError when the id is not 1–30 of A–Z and 0–9, or the postcode not four digits.
 */
export function articleBarcodes(article: {
  articleId: string
  postCode: string
  madeAtMs: number
}): Barcodes {
  const { articleId, postCode, madeAtMs } = article
  if (!/^[A-Z0-9]{1,30}$/.test(articleId))
    throw new RangeError(`No barcode can carry article id ${articleId}.`)
  if (!/^\d{4}$/.test(postCode)) throw new RangeError(`No barcode can carry postcode ${postCode}.`)
  const routed = `(420)${postCode}(91)${articleId}`
  return {
    linear: articleId.length <= 20 ? { kind: 'gs1-128', text: routed } : { kind: 'code128', text: articleId },
    matrix: { kind: 'gs1-datamatrix', text: `${routed}(92)${stamp(madeAtMs)}` },
  }
}

/** The barcodes of a parcel for the merchant's own couriers: no carrier reads them, so no GS1. */
export function deliveryBarcodes(deliveryId: string): Barcodes {
  if (!/^[\w-]{1,30}$/.test(deliveryId))
    throw new RangeError(`No barcode can carry delivery id ${deliveryId}.`)
  return { linear: { kind: 'code128', text: deliveryId }, matrix: { kind: 'datamatrix', text: deliveryId } }
}

/** The elements of a bracketed GS1 string without the brackets: `(420)3065(91)A1` is `4203065` and `91A1`. */
export function gs1Elements(text: string): string[] {
  return text
    .split('(')
    .slice(1)
    .map((element) => element.replace(')', ''))
}

function stamp(madeAtMs: number): string {
  return new Date(madeAtMs).toISOString().replace(/\D/g, '').slice(2, 14)
}
