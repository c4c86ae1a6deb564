import { useQuery } from '@tanstack/react-query'
import { api } from '../../shared/api.ts'
import { Loading } from '../../shared/loading.tsx'
import { ProblemView } from '../../shared/problem-view.tsx'

/** Operators may open every account: here they choose one. */
export function ChooseAccount({ enter }: { enter(accountId: string): void }) {
  const { data, error } = useQuery({
    queryKey: ['accounts'],
    queryFn: async () => (await api.GET('/admin/accounts')).data,
  })
  return (
    <main className="alone">
      <h1>Which account?</h1>
      {error ? <ProblemView error={error} /> : !data && <Loading />}
      <ul className="choices">
        {data?.map(({ tenant_id: account, name, mode }) => (
          <li key={account}>
            <button type="button" className="b" onClick={() => enter(account)}>
              {name} <span className="dim">{mode}</span>
            </button>
          </li>
        ))}
      </ul>
    </main>
  )
}
