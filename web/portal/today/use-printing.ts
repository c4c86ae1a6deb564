import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { usePortal } from '../portal.ts'
import { openLabels } from '../print-labels.ts'
import { markPrinted } from '../printed.ts'

export type Printing = ReturnType<typeof usePrinting>

/** Labels go to the browser's own print; a person says whether they came out. */
export function usePrinting() {
  const { tenantId, nowMs } = usePortal()
  const [asked, setAsked] = useState<{ ids: readonly string[]; address: string } | null>(null)
  const { mutate, error, isPending } = useMutation({
    mutationFn: async (ids: readonly string[]) => ({ ids, address: await openLabels(tenantId, ids) }),
    onSuccess: setAsked,
  })
  return {
    asked,
    error,
    isPending,
    print: (ids: readonly string[]) => {
      if (ids.length > 0) mutate(ids)
    },
    answer: (printed: boolean) => {
      if (asked && printed) markPrinted(asked.ids, nowMs())
      if (asked) URL.revokeObjectURL(asked.address)
      setAsked(null)
    },
  }
}
