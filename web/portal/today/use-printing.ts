import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Delivery, Store } from '../../shared/api.generated.ts'
import { usePortal } from '../portal.ts'
import { findLabels, formatLeftOut, MAX_PRINTED, printLabels } from '../print-labels.ts'
import { markPrinted } from '../printed.ts'
import { labelCount } from './print-batch.ts'

type Job = Store['labels'] & { deliveries: readonly Delivery[] }
/** `ids`: the deliveries that were printed. `labels`: the number of pages. `leftOut`: a sentence. */
type Asked = Job & { address: string; ids: readonly string[]; labels: number; leftOut: string | null }

export type Printing = ReturnType<typeof usePrinting>

/** Labels go to the browser's print dialog or into a file; the clerk says whether they came out. */
export function usePrinting() {
  const { tenantId, nowMs, stores } = usePortal()
  const [asked, setAsked] = useState<Asked | null>(null)
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: async (job: Job): Promise<Asked> => {
      const ids = job.deliveries.map(({ id }) => id)
      const { address, leftOut } = await printLabels(tenantId, ids, job.format)
      const printed = job.deliveries.filter(({ id }) => !leftOut.ids.includes(id))
      return {
        ...job,
        address,
        ids: printed.map(({ id }) => id),
        labels: labelCount(printed),
        leftOut: formatLeftOut(leftOut, job.deliveries),
      }
    },
    onSuccess: setAsked,
  })
  return {
    asked,
    error,
    isPending,
    /** Hides the error. */
    reset,
    printerOf: (deliveries: readonly Delivery[]) => findLabels(stores, deliveries).printer,
    print: (deliveries: readonly Delivery[]) => {
      if (deliveries.length === 0 || deliveries.length > MAX_PRINTED) return
      mutate({ ...findLabels(stores, deliveries), deliveries })
    },
    printAgain: () => {
      if (asked) mutate(asked)
    },
    answer: (printed: boolean) => {
      if (asked && printed) markPrinted(asked.ids, nowMs())
      if (asked) URL.revokeObjectURL(asked.address)
      setAsked(null)
      reset()
    },
  }
}
