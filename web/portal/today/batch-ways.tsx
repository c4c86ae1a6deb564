import { ORDER_TEXTS, PRINT_ORDERS } from './print-batch.ts'
import type { Batch } from './use-batch.ts'

/** Options for printing several labels: skip printed ones, and the order. */
export function BatchWays({ batch }: { batch: Batch }) {
  if (batch.size < 2) return null
  return (
    <>
      {batch.skippable > 0 && (
        <label className="printed-once">
          <input
            type="checkbox"
            className="ck"
            checked={batch.skips}
            onChange={(event) => batch.skip(event.currentTarget.checked)}
          />
          Skip the {batch.skippable === 1 ? 'delivery' : `${batch.skippable} deliveries`} with labels already
          printed
        </label>
      )}
      <fieldset className="print-order">
        <legend className="vh">Order of the labels</legend>
        {PRINT_ORDERS.map((order) => (
          <button
            key={order}
            type="button"
            className="b s"
            aria-pressed={batch.order === order}
            onClick={() => batch.choose(order)}
          >
            {ORDER_TEXTS[order]}
          </button>
        ))}
      </fieldset>
    </>
  )
}
