import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { usePortal } from '../portal.ts'
import { openLabels } from '../print-labels.ts'
import { markPrinted } from '../printed.ts'

type Asked = { ids: readonly string[]; labels: number; address: string }

export type Printing = ReturnType<typeof usePrinting>

/** Labels go to the browser's print dialog; the clerk says whether they came out. */
export function usePrinting() {
  const { tenantId, nowMs } = usePortal()
  const [asked, setAsked] = useState<Asked | null>(null)
  const { mutate, error, isPending } = useMutation({
    mutationFn: async ({ ids, labels }: Omit<Asked, 'address'>) => ({
      ids,
      labels,
      address: await openLabels(tenantId, ids),
    }),
    onSuccess: setAsked,
  })
  return {
    asked,
    error,
    isPending,
    /** `labels`: the number of pages. */
    print: (ids: readonly string[], labels: number) => {
      if (ids.length > 0) mutate({ ids, labels })
    },
    answer: (printed: boolean) => {
      if (asked && printed) markPrinted(asked.ids, nowMs())
      if (asked) URL.revokeObjectURL(asked.address)
      setAsked(null)
    },
  }
}
