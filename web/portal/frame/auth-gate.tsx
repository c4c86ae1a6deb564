import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import { ActionButton } from '../../shared/action-button.tsx'
import type { Delivery, Store } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { Dialog } from '../../shared/dialog.tsx'
import { importWithRetry } from '../../shared/lazy-import.ts'
import { Loading } from '../../shared/loading.tsx'
import { readSetting, saveSetting } from '../../shared/local-storage.ts'
import { Problem } from '../../shared/problem.ts'
import { ProblemView } from '../../shared/problem-view.tsx'
import { isoDay } from '../../shared/times.ts'
import { type Portal, PortalContext, type Session } from '../portal.ts'
import { ChooseAccount } from './choose-account.tsx'
import { lazyPage } from './lazy-page.tsx'
import { NO_STORE } from './no-store.ts'
import { storeToOpen } from './store-to-open.ts'

/** Loaded by users without a session; for the others, see `LogInAgain`. */
const LogIn = lazyPage(() => import('./log-in.tsx'), 'LogIn')
const SecondFactorFirst = lazyPage(() => import('./second-factor.tsx'), 'SecondFactorFirst')

/**
 * Shows the page to a logged-in user, or else the login in its place, so that the user continues there. A logged-in
 * user keeps the page and typed input if requests fail later; after an expired session the login appears above it.
 */
export function AuthGate({ children }: { children: ReactNode }) {
  const {
    data: session,
    error,
    refetch,
  } = useQuery({
    queryKey: ['session'],
    queryFn: async () => (await api.GET('/session')).data,
    staleTime: Number.POSITIVE_INFINITY,
    // A user who is logging in now would lose their input.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const [account, setAccount] = useState(() => readSetting('account'))
  const enter = (id: string | null) => {
    saveSetting('account', id)
    setAccount(id)
  }
  if (!session)
    return isLoggedOut(error) ? (
      <Suspense fallback={<Loading />}>
        <LogIn />
      </Suspense>
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
      <LogInAgain before={session} isNeeded={isLoggedOut(error)} />
    </>
  )
}

/**
 * Not a lazy page: those reload the app, or replace the page, if their file can’t be loaded, and the user’s typed input
 * would be lost.
 */
function LogInAgain({ before, isNeeded }: { before: Session; isNeeded: boolean }) {
  const {
    data: Form,
    errorUpdateCount,
    isFetching,
    refetch,
  } = useQuery({
    queryKey: ['part', 'LogInAgain'],
    // Loaded ahead: by the time the session expires, a new release may have replaced the file.
    queryFn: async () => (await importWithRetry(() => import('./log-in.tsx'))).LogInAgain,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!isNeeded) return null
  if (Form) return <Form before={before} />
  if (errorUpdateCount === 0) return null
  return (
    <Dialog title="You’ve been logged out.">
      <p role="alert">
        We couldn’t load the login form. We’ve kept what you typed. Check your internet connection, then try
        again. If that doesn’t help, reload the page, but you’ll lose what you haven’t saved.
      </p>
      <ActionButton className="b ink" busy={isFetching} onClick={() => refetch()}>
        Try again
      </ActionButton>
    </Dialog>
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
      (await api.GET('/{tenant_id}/stores', { params: { path: { tenant_id: tenantId } } })).data,
    refetchInterval: 60_000,
  })
  const queries = useQueryClient()
  useEffect(() => {
    if (isLoggedOut(error)) void queries.invalidateQueries({ queryKey: ['session'] })
  }, [error, queries])
  const [reference, setReference] = useState(() => readSetting('store'))
  const chooseStore = useCallback((chosen: string) => {
    saveSetting('store', chosen)
    setReference(chosen)
  }, [])
  const clockMs = data?.[0] ? Date.parse(data[0].today.now) - dataUpdatedAt : 0
  const nowMs = useCallback(() => Date.now() + clockMs, [clockMs])
  const unchosen = data !== undefined && data.length > 1 && !data.some((one) => one.reference === reference)
  const busiest = useQuery({
    queryKey: ['store-to-open', tenantId],
    queryFn: async () =>
      storeToOpen(data ?? [], await workOf(tenantId, data?.[0]?.time_zone, nowMs()), nowMs())?.reference ??
      null,
    enabled: unchosen,
    // The page keeps its store, even if another store gets more work.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const opened = unchosen ? (busiest.data ?? null) : reference
  const portal = useMemo(
    () => data && portalOf({ session, tenantId, stores: data, reference: opened, chooseStore, nowMs }),
    [session, tenantId, data, opened, chooseStore, nowMs],
  )
  if (!data || (unchosen && busiest.isLoading))
    return <Alone>{error ? <ProblemView error={error} retry={refetch} /> : <Loading />}</Alone>
  if (!portal)
    return (
      <Alone>
        <NoStores />
      </Alone>
    )
  return <PortalContext value={portal}>{children}</PortalContext>
}

/** Today's deliveries at all of the user's stores; 200 are enough to see where the work is. */
async function workOf(
  tenantId: string,
  zone: string | undefined,
  nowMs: number,
): Promise<readonly Delivery[]> {
  const on_day = isoDay(nowMs, zone ?? 'Australia/Sydney')
  const params = { path: { tenant_id: tenantId }, query: { on_day, limit: 200 } }
  return (await api.GET('/{tenant_id}/deliveries', { params })).data
}

function isLoggedOut(error: unknown): boolean {
  return error instanceof Problem && error.status === 401
}

type Found = Pick<Portal, 'session' | 'tenantId' | 'chooseStore' | 'nowMs'> & {
  stores: readonly Store[]
  reference: string | null
}

/** Null for people who see no store; admins of a new account add the first one. */
function portalOf({ stores, reference, ...rest }: Found): Portal | null {
  const may: Portal['may'] = (scope) => rest.session.scopes.includes(scope)
  const chosen = stores.find((one) => one.reference === reference) ?? stores[0]
  const store = chosen ?? (may('account') ? NO_STORE : null)
  return store && { ...rest, stores, store, may }
}

function NoStores() {
  const queries = useQueryClient()
  return (
    <div className="state">
      <h2>You haven’t been added to a store yet.</h2>
      <p>Ask an admin to add you to the stores you work in.</p>
      <button type="button" className="b" onClick={() => queries.invalidateQueries()}>
        Check again
      </button>
    </div>
  )
}

function Alone({ children }: { children: ReactNode }) {
  return <main className="alone">{children}</main>
}
