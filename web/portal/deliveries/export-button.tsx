import { useMutation } from '@tanstack/react-query'
import { ActionButton } from '../../shared/action-button.tsx'
import { toProblem } from '../../shared/problem.ts'
import { usePortal } from '../portal.ts'
import { exportCsv } from './export-csv.ts'
import { type Filter, readAll } from './use-deliveries.ts'

const MAX_EXPORTED = 20_000

/** Saves the filtered deliveries as CSV, and says so if there are too many. `isEmpty` undefined: not known yet. */
export function ExportButton({ filter, isEmpty }: { filter: Filter; isEmpty: boolean | undefined }) {
  const portal = usePortal()
  const save = useMutation({
    mutationFn: async () => {
      const { deliveries, isCut } = await readAll(portal.tenantId, filter, MAX_EXPORTED)
      await exportCsv(deliveries, portal)
      return { isCut }
    },
  })
  const isDisabled = isEmpty ?? true
  return (
    <>
      {save.data?.isCut && (
        <span className="dim" role="status">
          The file has only the newest 20,000 deliveries. For others, filter by store, status or manifest.
        </span>
      )}
      {save.error && (
        <span role="alert" className="field-error">
          {toProblem(save.error).message}
        </span>
      )}
      <ActionButton
        type="button"
        className="b s"
        busy={save.isPending}
        disabledReason={
          isDisabled && (isEmpty ? 'There are no deliveries to export.' : 'There’s nothing to export yet.')
        }
        onClick={() => save.mutate()}
      >
        {save.isPending ? 'Exporting' : 'Export CSV'}
      </ActionButton>
    </>
  )
}
