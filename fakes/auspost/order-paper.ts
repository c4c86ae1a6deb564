import type { Mark } from '../../src/documents/marks.ts'
import {
  A4,
  bandMarks,
  type Column,
  type Fact,
  FOOT_TOP,
  factRows,
  footMarks,
  headMarks,
  inFlow,
  pagesOf,
  rowMarks,
} from '../../src/documents/paper.ts'
import { pdfDocument } from '../../src/documents/pdf/document.ts'
import { instantWords } from './moments.ts'
import { dollars } from './prices.ts'
import type { Item, Order, Shipment } from './state.ts'

const COLUMNS: readonly Column[] = [
  { head: 'Article', x: 0, width: 420, face: 'code' },
  { head: 'Product', x: 440, width: 100, face: 'code' },
  { head: 'To', x: 560, width: 420 },
  { head: 'Weight', x: 1_000, width: 140, align: 'right' },
  { head: 'Dangerous', x: 1_160, width: 120 },
  { head: 'Charge', x: 1_290, width: 150, align: 'right' },
]

/** The order summary: the price of each article, with the surcharges in the total below. */
export async function orderPdf(order: Order): Promise<Buffer> {
  const rows = order.shipments.flatMap((shipment) => shipment.items.map((item) => cellsOf(shipment, item)))
  const head = inFlow(
    [
      (y) => bandMarks('Order summary', order.orderId, y),
      (y) => factRows(factsOf(order, rows.length), y + 42),
      (y) => headMarks(COLUMNS, y + 26),
    ],
    90,
  )
  const pages = await pagesOf(rows, (cells, y) => rowMarks(COLUMNS, cells, y, { min: 46 }), {
    top: head.bottom,
    end: FOOT_TOP,
  })
  return pdfDocument(
    A4,
    pages.map((drawn, index): Mark[] => [
      ...head.marks,
      ...drawn,
      ...footMarks('A fake’s order summary: nothing was charged.', index + 1, pages.length),
    ]),
  )
}

function factsOf(order: Order, articles: number): Fact[][] {
  const sum = (part: (shipment: Shipment) => number) =>
    order.shipments.reduce((total, shipment) => total + part(shipment), 0)
  const facts: readonly (readonly [string, string])[] = [
    ['Account', order.accountNumber],
    ['Lodged', instantWords(order.createdMs)],
    ['Shipments', String(order.shipments.length)],
    ['Articles', String(articles)],
    ['Fuel surcharge', `$${dollars(sum(({ cost }) => cost.fuelCents)).toFixed(2)}`],
    ['Total, GST in', `$${dollars(sum(({ cost }) => cost.totalCents)).toFixed(2)}`],
  ]
  return [facts.slice(0, 3), facts.slice(3)].map((row) =>
    row.map(([name, value], column) => ({ name, value, x: column * 480, width: 460 })),
  )
}

function cellsOf({ to }: Shipment, { tracking, product, measures, dangerousGoods, cost }: Item): string[] {
  return [
    tracking.articleId,
    product.productId,
    `${to.suburb} ${to.state} ${to.postcode}`,
    `${measures.weightKg} kg`,
    dangerousGoods ? 'yes' : '',
    `$${dollars(cost.totalCents).toFixed(2)}`,
  ]
}
