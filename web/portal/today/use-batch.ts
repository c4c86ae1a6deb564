import { useState } from 'react'
import type { Delivery } from '../../shared/api.generated.ts'
import { readSetting, saveSetting } from '../../shared/local-storage.ts'
import type { Printed } from './items.ts'
import { batchOf, labelCount, PRINT_ORDERS, type PrintOrder } from './print-batch.ts'

export type Batch = ReturnType<typeof useBatch>

/** The labels of the selected rows: their order, and whether printed ones are included. */
export function useBatch(printable: readonly Delivery[], printed: Printed) {
  const [order, setOrder] = useState<PrintOrder>(
    () => PRINT_ORDERS.find((one) => one === readSetting('print-order')) ?? 'time',
  )
  const [again, setAgain] = useState(false)
  const before = printable.filter(({ id }) => printed[id] !== undefined).map(({ id }) => id)
  // A clerk who selects only printed ones wants to print them again.
  const skippable = before.length < printable.length ? before : []
  const ids = batchOf(printable, order, new Set(again ? [] : skippable))
  return {
    order,
    choose(chosen: PrintOrder) {
      saveSetting('print-order', chosen)
      setOrder(chosen)
    },
    skippable: skippable.length,
    skips: !again,
    skip: (isSkipped: boolean) => setAgain(!isSkipped),
    size: printable.length,
    ids,
    deliveries: ids.flatMap((id) => printable.find((one) => one.id === id) ?? []),
    labels: labelCount(printable.filter(({ id }) => ids.includes(id))),
  }
}
