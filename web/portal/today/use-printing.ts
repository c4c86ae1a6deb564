import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Delivery, Store } from '../../shared/api.generated.ts'
import { usePortal } from '../portal.ts'
import { findLabels, printLabels } from '../print-labels.ts'
import { markPrinted } from '../printed.ts'
import { labelCount } from './print-batch.ts'

/** `labels`: the number of pages. */
type Job = Store['labels'] & { ids: readonly string[]; labels: number }
type Asked = Job & { address: string }

export type Printing = ReturnType<typeof usePrinting>

/** Labels go to the browser's print dialog or into a file; the clerk says whether they came out. */
export function usePrinting() {
  const { tenantId, nowMs, stores } = usePortal()
  const [asked, setAsked] = useState<Asked | null>(null)
  const { mutate, error, isPending } = useMutation({
    mutationFn: async (job: Job): Promise<Asked> => ({
      ...job,
      address: await printLabels(tenantId, job.ids, job.format),
    }),
    onSuccess: setAsked,
  })
  return {
    asked,
    error,
    isPending,
    printerOf: (deliveries: readonly Delivery[]) => findLabels(stores, deliveries).printer,
    print: (deliveries: readonly Delivery[]) => {
      if (deliveries.length === 0) return
      const ids = deliveries.map(({ id }) => id)
      mutate({ ...findLabels(stores, deliveries), ids, labels: labelCount(deliveries) })
    },
    printAgain: () => {
      if (asked) mutate(asked)
    },
    answer: (printed: boolean) => {
      if (asked && printed) markPrinted(asked.ids, nowMs())
      if (asked) URL.revokeObjectURL(asked.address)
      setAsked(null)
    },
  }
}
