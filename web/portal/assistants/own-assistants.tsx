import { useQuery } from '@tanstack/react-query'
import type { OwnAssistant } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { ProblemView } from '../../shared/problem-view.tsx'
import { EndButton } from '../end-button.tsx'
import { type Column, ListTable } from '../list-table.tsx'
import { Timestamp } from '../timestamp.tsx'
import { ACCESS_TEXTS } from './access-texts.ts'

const KEY = ['own-assistants']

const COLUMNS: readonly Column<OwnAssistant>[] = [
  { word: 'Assistant', cell: ({ name }) => <b>{name}</b> },
  { word: 'Access', cell: ({ access }) => ACCESS_TEXTS[access].title },
  { word: 'Connected', cell: ({ created_at }) => <Timestamp at={created_at} /> },
  { word: 'Last used', cell: ({ last_used_at }) => <Timestamp at={last_used_at} /> },
  {
    word: null,
    cell: ({ id, name }) => (
      <EndButton
        word="End access"
        of={name}
        stale={KEY}
        end={() => api.DELETE('/session/assistants/{grant_id}', { params: { path: { grant_id: id } } })}
      />
    ),
  },
]

/**
 * The assistants that act in the user's name, each with a button that ends its access. Renders nothing if the list is
 * empty.
 */
export function OwnAssistants() {
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: async () => (await api.GET('/session/assistants')).data,
  })
  if (!error && !data?.length) return null
  return (
    <section className="sheet pad below" aria-labelledby="own-assistants">
      <h2 id="own-assistants">Assistants that act for you</h2>
      {error && !data && <ProblemView error={error} retry={refetch} />}
      {data && <ListTable label="Your assistants" rows={data} keyOf={({ id }) => id} columns={COLUMNS} />}
      <p className="dim">
        If you see an assistant that you didn’t connect, choose End access next to it and change your
        password.
      </p>
    </section>
  )
}
