import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDollars } from '../../../src/domain/text/format-dollars.ts'
import { ActionButton } from '../../shared/action-button.tsx'
import type { Assistant } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { Loading } from '../../shared/loading.tsx'
import { ProblemView } from '../../shared/problem-view.tsx'
import { ConfirmAction } from '../confirm-action.tsx'
import { type Column, ListTable } from '../list-table.tsx'
import { sentByButton } from '../on-submit.ts'
import { usePortal } from '../portal.ts'
import { Timestamp } from '../timestamp.tsx'
import { useTitle } from '../use-title.ts'
import { useAssistantFields } from './assistant-fields.tsx'
import { EditAssistant } from './edit-assistant.tsx'
import { SpendingLimit } from './spending-limit.tsx'

/** The assistants that the account's people may connect in their own name. */
export function Assistants() {
  const { tenantId } = usePortal()
  useTitle('Assistants')
  const [editing, setEditing] = useState<Assistant | null>(null)
  const [removing, setRemoving] = useState<Assistant | null>(null)
  const key = ['assistants', tenantId]
  const path = { tenant_id: tenantId }
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: async () => (await api.GET('/{tenant_id}/assistants', { params: { path } })).data,
  })
  const columns: Column<Assistant>[] = [
    { word: 'Name', cell: ({ name }) => <b>{name}</b> },
    { word: 'Client ID', look: 'mono', cell: ({ id }) => id },
    { word: 'Redirect URLs', look: 'said', cell: ({ redirect_urls }) => redirect_urls.join(', ') },
    { word: 'Added', cell: ({ created_at }) => <Timestamp at={created_at} /> },
    {
      word: 'Spent through MCP today',
      look: 'num',
      cell: ({ mcp_spent_today_cents: cents }) => formatDollars(cents),
    },
    {
      word: null,
      cell: (assistant) => (
        <div className="row-of-buttons tight">
          <button
            type="button"
            className="b s"
            aria-label={`Edit ${assistant.name}`}
            onClick={() => setEditing(assistant)}
          >
            Edit
          </button>
          <button
            type="button"
            className="b s no"
            aria-label={`Remove ${assistant.name}`}
            onClick={() => setRemoving(assistant)}
          >
            Remove
          </button>
        </div>
      ),
    },
  ]
  return (
    <>
      <div className="head">
        <h1>Assistants</h1>
      </div>
      {error && !data && <ProblemView error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {data?.length === 0 && (
        <div className="state">
          <h2>No assistants yet</h2>
          <p>Add an assistant so that your people can connect it to Drover and ask about their deliveries.</p>
        </div>
      )}
      {data && data.length > 0 && (
        <ListTable label="Assistants" rows={data} keyOf={({ id }) => id} columns={columns} />
      )}
      <AddAssistant />
      {data && <SpendingLimit />}
      {editing && <EditAssistant assistant={editing} stale={key} onClose={() => setEditing(null)} />}
      {removing && (
        <ConfirmAction
          title={`Remove ${removing.name}?`}
          confirmLabel="Remove it"
          onClose={() => setRemoving(null)}
          stale={key}
          work={() =>
            api.DELETE('/{tenant_id}/assistants/{assistant_id}', {
              params: { path: { ...path, assistant_id: removing.id } },
            })
          }
        >
          {removing.name} will stop working for everyone who has connected it. You can’t undo this.
        </ConfirmAction>
      )}
    </>
  )
}

function AddAssistant() {
  const { tenantId } = usePortal()
  const queries = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      api.POST('/{tenant_id}/assistants', { params: { path: { tenant_id: tenantId } }, body: typed }),
    onSuccess: () => {
      clear()
      return queries.invalidateQueries({ queryKey: ['assistants', tenantId] })
    },
  })
  const { fields, typed, clear } = useAssistantFields(error)
  return (
    <section className="sheet pad below" aria-labelledby="add-assistant">
      <h2 id="add-assistant">Add an assistant</h2>
      <form {...sentByButton(() => mutate())} className="fields narrow">
        {fields}
        <ActionButton type="submit" className="b ink" busy={isPending}>
          Add assistant
        </ActionButton>
      </form>
    </section>
  )
}
