import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router'
import { Frame } from './frame/frame.tsx'
import { Gate } from './frame/gate.tsx'
import { NotFound } from './frame/not-found.tsx'
import { FailedPage, pageOf } from './frame/page-of.tsx'
import { Today } from './today/today.tsx'

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound })

const welcome = createRoute({
  getParentRoute: () => root,
  path: '/welcome',
  component: pageOf(() => import('./frame/welcome.tsx'), 'Welcome'),
})

/** Pages that need a log-in. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: () => (
    <Gate>
      <Frame />
    </Gate>
  ),
})

const at = <P extends string>(path: P) => ({ getParentRoute: () => inside, path }) as const

const start = createRoute({
  ...at('/'),
  beforeLoad: () => {
    throw redirect({ to: '/today' })
  },
})

/** The day, `?day=2026-11-24`; today without it. */
const today = createRoute({
  ...at('/today'),
  validateSearch: ({
    day,
    carrier,
    state,
  }: Record<string, unknown>): { day?: string; carrier?: string; state?: string } => ({
    ...(typeof day === 'string' && { day }),
    ...(typeof carrier === 'string' && { carrier }),
    ...(typeof state === 'string' && { state }),
  }),
  component: Today,
})

const deliveries = createRoute({
  ...at('/deliveries'),
  validateSearch: (search: Record<string, unknown>): DeliveriesSearch =>
    Object.fromEntries(
      DELIVERIES_SEARCH.flatMap((name) => (typeof search[name] === 'string' ? [[name, search[name]]] : [])),
    ),
  component: pageOf(() => import('./deliveries/deliveries.tsx'), 'Deliveries'),
})
/** Filters are in the address, so that users can save and send a list; the last five come from insights. */
const DELIVERIES_SEARCH = [
  'q',
  'status',
  'manifest',
  'store',
  'ended_from',
  'ended_to',
  'timeliness',
  'carrier',
  'service',
] as const
export type DeliveriesSearch = { [name in (typeof DELIVERIES_SEARCH)[number]]?: string }

const delivery = createRoute({
  ...at('/deliveries/$deliveryId'),
  component: pageOf(() => import('./delivery/delivery-page.tsx'), 'DeliveryPage'),
})

const fresh = createRoute({
  ...at('/new'),
  component: pageOf(() => import('./create/create.tsx'), 'Create'),
})

const amend = createRoute({
  ...at('/deliveries/$deliveryId/amend'),
  component: pageOf(() => import('./create/amend.tsx'), 'Amend'),
})

/** `?only=A,B`, `?carrier=…`: initially selects those, or that carrier's. */
const manifest = createRoute({
  ...at('/manifest'),
  validateSearch: ({ only, carrier }: Record<string, unknown>): { only?: string; carrier?: string } => ({
    ...(typeof only === 'string' && { only }),
    ...(typeof carrier === 'string' && { carrier }),
  }),
  component: pageOf(() => import('./manifest/manifest-day.tsx'), 'ManifestDay'),
})

const manifests = createRoute({
  ...at('/manifests'),
  component: pageOf(() => import('./manifest/manifests.tsx'), 'Manifests'),
})

const couriers = createRoute({
  ...at('/couriers'),
  component: pageOf(() => import('./couriers/couriers.tsx'), 'Couriers'),
})

const links = createRoute({
  ...at('/links'),
  component: pageOf(() => import('./links/links.tsx'), 'Links'),
})

const insights = createRoute({
  ...at('/insights'),
  component: pageOf(() => import('./insights/insights-page.tsx'), 'InsightsPage'),
})

const ownLogIn = createRoute({
  ...at('/log-in'),
  component: pageOf(() => import('./frame/second-factor.tsx'), 'SecondFactorPage'),
})

const account = createRoute({
  ...at('/account'),
  component: pageOf(() => import('./account/account-frame.tsx'), 'AccountFrame'),
})
const ofAccount = <P extends string>(path: P) => ({ getParentRoute: () => account, path }) as const

const accountPages = [
  createRoute({
    ...ofAccount('/'),
    component: pageOf(() => import('./account/document-page.tsx'), 'DocumentPage'),
  }),
  createRoute({
    ...ofAccount('/users'),
    component: pageOf(() => import('./account/users.tsx'), 'Users'),
  }),
  createRoute({
    ...ofAccount('/carriers'),
    component: pageOf(() => import('./account/carriers.tsx'), 'Carriers'),
  }),
  createRoute({
    ...ofAccount('/clients'),
    component: pageOf(() => import('./account/clients.tsx'), 'Clients'),
  }),
  createRoute({
    ...ofAccount('/webhooks'),
    component: pageOf(() => import('./account/webhooks.tsx'), 'Webhooks'),
  }),
  createRoute({
    ...ofAccount('/messages'),
    component: pageOf(() => import('./account/messages.tsx'), 'Messages'),
  }),
  createRoute({
    ...ofAccount('/audit'),
    component: pageOf(() => import('./account/audit.tsx'), 'Audit'),
  }),
  createRoute({
    ...ofAccount('/sandbox'),
    component: pageOf(() => import('./account/sandbox.tsx'), 'Sandbox'),
  }),
] as const

const routeTree = root.addChildren([
  welcome,
  inside.addChildren([
    start,
    today,
    deliveries,
    delivery,
    amend,
    fresh,
    manifest,
    manifests,
    couriers,
    links,
    insights,
    ownLogIn,
    account.addChildren(accountPages),
  ]),
])

export const router = createRouter({
  routeTree,
  basepath: '/portal',
  defaultErrorComponent: FailedPage,
  defaultPreload: 'intent',
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
