import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ActionButton } from '../../shared/action-button.tsx'
import type { OwnSession } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { Loading } from '../../shared/loading.tsx'
import { ProblemView } from '../../shared/problem-view.tsx'
import { EndButton } from '../end-button.tsx'
import { FieldError } from '../field-error.tsx'
import { type Column, ListTable } from '../list-table.tsx'
import { Timestamp } from '../timestamp.tsx'

const KEY = ['own-sessions']

const COLUMNS: readonly Column<OwnSession>[] = [
  {
    word: 'Browser',
    cell: ({ browser, current }) => (
      <>
        {browser ?? 'Not recognised'}
        {current && <b>, this browser</b>}
      </>
    ),
  },
  { word: 'Logged in', cell: ({ created_at }) => <Timestamp at={created_at} /> },
  { word: 'Last used', cell: ({ last_used_at }) => <Timestamp at={last_used_at} /> },
  { word: 'IP address', look: 'mono', cell: ({ ip_address }) => ip_address ?? 'Not known' },
  {
    word: null,
    cell: ({ id, browser, current }) =>
      !current && (
        <EndButton
          word="Log out"
          of={browser ?? 'browser not recognised'}
          stale={KEY}
          end={() => api.DELETE('/session/sessions/{session_id}', { params: { path: { session_id: id } } })}
        />
      ),
  },
]

/** The user's sessions; they end one of the others, or all of them. */
export function OwnSessions() {
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: async () => (await api.GET('/session/sessions')).data,
  })
  const others = useMutation({
    mutationFn: async () => (await api.POST('/session/end-others')).data,
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  })
  return (
    <section className="sheet pad below" aria-labelledby="own-sessions">
      <h2 id="own-sessions">Where you’re logged in</h2>
      {error && !data && <ProblemView error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {data && <ListTable label="Your logins" rows={data} keyOf={({ id }) => id} columns={COLUMNS} />}
      {data && data.length > 1 && (
        <div className="row-of-buttons">
          <ActionButton type="button" className="b" busy={others.isPending} onClick={() => others.mutate()}>
            Log out everywhere else
          </ActionButton>
        </div>
      )}
      <FieldError error={others.error} />
      {others.data && (
        <p role="status" className="dim">
          You’re now logged out everywhere else.
        </p>
      )}
      <p className="dim">
        If you see a login that you don’t recognise, choose Log out next to it and change your password.
      </p>
    </section>
  )
}
