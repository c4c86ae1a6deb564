import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import type { Store } from '../../shared/api.generated.ts'
import { answerOf, api } from '../../shared/api.ts'
import { Loading } from '../../shared/loading.tsx'
import { Problem } from '../../shared/problem.ts'
import { ProblemView } from '../../shared/problem-view.tsx'
import { type Portal, PortalContext, type Session } from '../portal.ts'
import { remember, remembered } from '../remembered.ts'
import { ChooseAccount } from './choose-account.tsx'
import { LogIn, LogInAgain } from './log-in.tsx'
import { SecondFactorFirst } from './second-factor.tsx'

/**
 * Asks who is there: lets in, or shows the log-in where the page would be, so that one goes on where one was. Whoever is
 * in keeps the page and what is typed on it, whatever is lost on the way later; a log-in that has ended is asked for above it.
 */
export function Gate({ children }: { children: ReactNode }) {
  const {
    data: session,
    error,
    refetch,
  } = useQuery({
    queryKey: ['session'],
    queryFn: async () => (await answerOf(api.GET('/session', { params: {} }))).data,
    staleTime: Number.POSITIVE_INFINITY,
    // Who is logging in just now would lose what is typed.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const [account, setAccount] = useState(() => remembered('account'))
  const enter = (id: string | null) => {
    remember('account', id)
    setAccount(id)
  }
  if (!session)
    return isLoggedOut(error) ? (
      <LogIn />
    ) : (
      <Alone>{error ? <ProblemView error={error} retry={refetch} /> : <Loading />}</Alone>
    )
  if (session.second_factor.must_set_up) return <SecondFactorFirst />
  const tenantId = session.tenant_id ?? account
  return (
    <>
      {tenantId === null ? (
        <ChooseAccount enter={enter} />
      ) : (
        <Stores session={session} tenantId={tenantId}>
          {children}
        </Stores>
      )}
      {isLoggedOut(error) && <LogInAgain before={session} />}
    </>
  )
}

function Stores({
  session,
  tenantId,
  children,
}: {
  session: Session
  tenantId: string
  children: ReactNode
}) {
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    queryKey: ['stores', tenantId],
    queryFn: async () =>
      (await answerOf(api.GET('/{tenant_id}/stores', { params: { path: { tenant_id: tenantId } } }))).data,
    refetchInterval: 60_000,
  })
  const queries = useQueryClient()
  useEffect(() => {
    if (isLoggedOut(error)) void queries.invalidateQueries({ queryKey: ['session'] })
  }, [error, queries])
  const [reference, setReference] = useState(() => remembered('store'))
  const chooseStore = useCallback((chosen: string) => {
    remember('store', chosen)
    setReference(chosen)
  }, [])
  const clockMs = data?.[0] ? Date.parse(data[0].today.now) - dataUpdatedAt : 0
  const nowMs = useCallback(() => Date.now() + clockMs, [clockMs])
  const portal = useMemo(
    () => data && portalOf({ session, tenantId, stores: data, reference, chooseStore, nowMs }),
    [session, tenantId, data, reference, chooseStore, nowMs],
  )
  if (!data) return <Alone>{error ? <ProblemView error={error} retry={refetch} /> : <Loading />}</Alone>
  if (!portal)
    return (
      <Alone>
        <NoStores />
      </Alone>
    )
  return <PortalContext value={portal}>{children}</PortalContext>
}

function isLoggedOut(error: unknown): boolean {
  return error instanceof Problem && error.status === 401
}

type Found = Pick<Portal, 'session' | 'tenantId' | 'chooseStore' | 'nowMs'> & {
  stores: readonly Store[]
  reference: string | null
}

function portalOf({ stores, reference, ...rest }: Found): Portal | null {
  const store = stores.find((one) => one.reference === reference) ?? stores[0]
  return store ? { ...rest, stores, store, may: (scope) => rest.session.scopes.includes(scope) } : null
}

function NoStores() {
  const queries = useQueryClient()
  return (
    <div className="state">
      <h2>You see no store here.</h2>
      <p>An admin of the account can say which stores you work in.</p>
      <button type="button" className="b" onClick={() => queries.invalidateQueries()}>
        Look again
      </button>
    </div>
  )
}

function Alone({ children }: { children: ReactNode }) {
  return <main className="alone">{children}</main>
}
