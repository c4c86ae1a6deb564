import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import type { Account } from './accounts.ts'
import { barcodeWords } from './moments.ts'
import type { Product } from './products.ts'

/** Identifiers in the carrier's forms. Random, so that a restarted fake repeats no id. */
export type Ids = {
  /** Of shipments and items: `9lesEAOvOm4AAAFI3swaDRYB`. */
  thing(): string
  /** `AP0000002422`. */
  order(): string
  request(): string
  /** `2JD5418133` with Australia Post, `LKIZ50000387` with StarTrack. */
  consignment(account: Account): string
}

const DIGITS = 10_000_000

export function drawIds(): Ids {
  let consignments = randomInt(DIGITS)
  let orders = randomInt(DIGITS)
  return {
    thing: () => randomBytes(18).toString('base64').replaceAll('+', '.').replaceAll('/', '_'),
    order: () => `AP${String(++orders).padStart(10, '0')}`,
    request: () => randomUUID(),
    consignment({ locationId, network }) {
      consignments = (consignments + 1) % DIGITS
      return `${locationId}${String(consignments).padStart(network === 'startrack' ? 8 : 7, '0')}`
    },
  }
}

/** `2JD541813301000870900`; with StarTrack `LKIZ50000387EXP00001`. `number` is the item's in its consignment, from 1. */
export function articleId(consignmentId: string, product: Product, number: number): string {
  if (product.network === 'startrack')
    return `${consignmentId}${product.productId}${String(number).padStart(5, '0')}`
  const body = `${consignmentId}${String(number).padStart(2, '0')}00093150`
  return `${body}${checkDigit(body)}`
}

/** GS1 elements: the network's item number, the article, the postcode and the moment; StarTrack's is the article's id. */
export function barcodeId(article: string, product: Product, postcode: string, atMs: number): string {
  if (product.network === 'startrack') return article
  return `019931265099999891${article}|420${postcode}|8008${barcodeWords(atMs)}`
}

function checkDigit(text: string): number {
  const digits = text.replace(/\D/g, '')
  const sum = [...digits].reverse().reduce((total, digit, at) => total + Number(digit) * (at % 2 ? 1 : 3), 0)
  return (10 - (sum % 10)) % 10
}
