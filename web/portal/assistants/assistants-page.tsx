import { Textarea, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDollars } from '../../../src/domain/text/format-dollars.ts'
import { ActionButton } from '../../shared/action-button.tsx'
import type { Assistant } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { Loading } from '../../shared/loading.tsx'
import { ProblemView } from '../../shared/problem-view.tsx'
import { ConfirmAction } from '../confirm-action.tsx'
import { FieldError } from '../field-error.tsx'
import { fieldProblems } from '../field-problems.ts'
import { type Column, ListTable } from '../list-table.tsx'
import { sentByButton } from '../on-submit.ts'
import { usePortal } from '../portal.ts'
import { Timestamp } from '../timestamp.tsx'
import { useTitle } from '../use-title.ts'

/** The assistants that the account's people may connect in their own name. */
export function Assistants() {
  const { tenantId } = usePortal()
  useTitle('Assistants')
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
        <button
          type="button"
          className="b s no"
          aria-label={`Remove ${assistant.name}`}
          onClick={() => setRemoving(assistant)}
        >
          Remove
        </button>
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
          <p>
            Add an assistant, so that your people can connect it to Drover and ask about their deliveries.
          </p>
        </div>
      )}
      {data && data.length > 0 && (
        <ListTable label="Assistants" rows={data} keyOf={({ id }) => id} columns={columns} />
      )}
      <AddAssistant />
      {removing && (
        <ConfirmAction
          title={`Remove ${removing.name}?`}
          yes="Remove it"
          onClose={() => setRemoving(null)}
          stale={key}
          work={() =>
            api.DELETE('/{tenant_id}/assistants/{assistant_id}', {
              params: { path: { ...path, assistant_id: removing.id } },
            })
          }
        >
          It loses access for everyone who has connected it. You can’t undo this.
        </ConfirmAction>
      )}
    </>
  )
}

function AddAssistant() {
  const { tenantId } = usePortal()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [addresses, setAddresses] = useState('')
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => {
      const redirect_urls = addresses.split(/\s+/).filter(Boolean)
      const params = { path: { tenant_id: tenantId } }
      return api.POST('/{tenant_id}/assistants', { params, body: { name, redirect_urls } })
    },
    onSuccess: () => {
      setName('')
      setAddresses('')
      return queries.invalidateQueries({ queryKey: ['assistants', tenantId] })
    },
  })
  const problems = fieldProblems(error, ['name', 'redirect_urls'])
  return (
    <section className="sheet pad below" aria-labelledby="add-assistant">
      <h2 id="add-assistant">Add an assistant</h2>
      <form {...sentByButton(() => mutate())} className="fields narrow">
        <TextInput
          label="Name"
          description="The name that people see when they allow the assistant, such as “Claude”"
          required
          maxLength={100}
          value={name}
          error={problems.at('name')}
          errorProps={{ role: 'alert' }}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Textarea
          label="Redirect URLs"
          description="One per line, exactly as in the assistant’s documentation (it may call them callback URLs)"
          required
          rows={2}
          value={addresses}
          error={problems.at('redirect_urls')}
          errorProps={{ role: 'alert' }}
          onChange={(event) => setAddresses(event.currentTarget.value)}
        />
        <FieldError error={problems.rest} />
        <ActionButton type="submit" className="b ink" busy={isPending}>
          Add assistant
        </ActionButton>
      </form>
    </section>
  )
}
