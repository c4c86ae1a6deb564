import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router'
import { AuthGate } from './frame/auth-gate.tsx'
import { Frame } from './frame/frame.tsx'
import { FailedPage, lazyPage } from './frame/lazy-page.tsx'
import { NotFound } from './frame/not-found.tsx'
import { Today } from './today/today.tsx'

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound })

const welcome = createRoute({
  getParentRoute: () => root,
  path: '/welcome',
  component: lazyPage(() => import('./frame/welcome.tsx'), 'Welcome'),
})

/** An OAuth request of an assistant: a page of its own, which needs a login. */
const connect = createRoute({
  getParentRoute: () => root,
  path: '/connect/$tenantId',
  component: () => (
    <AuthGate>
      <ConnectAssistant />
    </AuthGate>
  ),
})
const ConnectAssistant = lazyPage(() => import('./assistants/connect-assistant.tsx'), 'ConnectAssistant')

/** Pages that need a login. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: () => (
    <AuthGate>
      <Frame />
    </AuthGate>
  ),
})

const at = <P extends string>(path: P) => ({ getParentRoute: () => inside, path }) as const

const first = createRoute({
  ...at('/'),
  beforeLoad: () => {
    throw redirect({ to: '/today' })
  },
})

const start = createRoute({
  ...at('/start'),
  component: lazyPage(() => import('./start/start-page.tsx'), 'StartPage'),
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
  component: lazyPage(() => import('./deliveries/deliveries.tsx'), 'Deliveries'),
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
  component: lazyPage(() => import('./delivery/delivery-page.tsx'), 'DeliveryPage'),
})

const fresh = createRoute({
  ...at('/new'),
  component: lazyPage(() => import('./create/create.tsx'), 'Create'),
})

const amend = createRoute({
  ...at('/deliveries/$deliveryId/amend'),
  component: lazyPage(() => import('./create/amend.tsx'), 'Amend'),
})

/** `?only=…,…`: initially selects the deliveries with these ids; `?carrier=…`: those of that carrier. */
const manifest = createRoute({
  ...at('/manifest'),
  validateSearch: ({ only, carrier }: Record<string, unknown>): { only?: string; carrier?: string } => ({
    ...(typeof only === 'string' && { only }),
    ...(typeof carrier === 'string' && { carrier }),
  }),
  component: lazyPage(() => import('./manifest/manifest-day.tsx'), 'ManifestDay'),
})

const manifests = createRoute({
  ...at('/manifests'),
  component: lazyPage(() => import('./manifest/manifests.tsx'), 'Manifests'),
})

const couriers = createRoute({
  ...at('/couriers'),
  component: lazyPage(() => import('./couriers/couriers.tsx'), 'Couriers'),
})

const links = createRoute({
  ...at('/links'),
  component: lazyPage(() => import('./links/links.tsx'), 'Links'),
})

/** A calendar month (`last`, `2026-10`), the last days, or dates: the first without an error, this month by default. */
export type InsightsSearch = { month?: string; days?: string; from?: string; to?: string }
const INSIGHTS_SEARCH = ['month', 'days', 'from', 'to'] as const

const insights = createRoute({
  ...at('/insights'),
  // The router reads `days=28` as a number.
  validateSearch: (search: Record<string, unknown>): InsightsSearch =>
    Object.fromEntries(
      INSIGHTS_SEARCH.flatMap((name) =>
        ['string', 'number'].includes(typeof search[name]) ? [[name, String(search[name])]] : [],
      ),
    ),
  component: lazyPage(() => import('./insights/insights-page.tsx'), 'InsightsPage'),
})

const ownLogIn = createRoute({
  ...at('/log-in'),
  component: lazyPage(() => import('./frame/your-account.tsx'), 'YourAccount'),
})

const account = createRoute({
  ...at('/account'),
  component: lazyPage(() => import('./account/account-frame.tsx'), 'AccountFrame'),
})
const ofAccount = <P extends string>(path: P) => ({ getParentRoute: () => account, path }) as const

const accountPages = [
  createRoute({
    ...ofAccount('/'),
    component: lazyPage(() => import('./account/document-page.tsx'), 'DocumentPage'),
  }),
  createRoute({
    ...ofAccount('/users'),
    component: lazyPage(() => import('./account/users.tsx'), 'Users'),
  }),
  createRoute({
    ...ofAccount('/carriers'),
    component: lazyPage(() => import('./account/carriers.tsx'), 'Carriers'),
  }),
  createRoute({
    ...ofAccount('/clients'),
    component: lazyPage(() => import('./account/clients.tsx'), 'Clients'),
  }),
  createRoute({
    ...ofAccount('/assistants'),
    component: lazyPage(() => import('./assistants/assistants-page.tsx'), 'Assistants'),
  }),
  createRoute({
    ...ofAccount('/webhooks'),
    component: lazyPage(() => import('./account/webhooks.tsx'), 'Webhooks'),
  }),
  createRoute({
    ...ofAccount('/messages'),
    component: lazyPage(() => import('./account/messages.tsx'), 'Messages'),
  }),
  createRoute({
    ...ofAccount('/audit'),
    component: lazyPage(() => import('./account/audit.tsx'), 'Audit'),
  }),
  createRoute({
    ...ofAccount('/sandbox'),
    component: lazyPage(() => import('./account/sandbox.tsx'), 'Sandbox'),
  }),
] as const

const settings = createRoute({
  ...at('/settings'),
  component: lazyPage(() => import('./settings/settings-frame.tsx'), 'SettingsFrame'),
})
const ofSettings = <P extends string>(path: P) => ({ getParentRoute: () => settings, path }) as const

const settingsPages = [
  createRoute({
    ...ofSettings('/'),
    beforeLoad: () => {
      throw redirect({ to: '/settings/stores' })
    },
  }),
  createRoute({
    ...ofSettings('/stores'),
    component: lazyPage(() => import('./settings/stores-page.tsx'), 'StoresPage'),
  }),
  createRoute({
    ...ofSettings('/stores/$reference'),
    component: lazyPage(() => import('./settings/store-page.tsx'), 'StorePage'),
  }),
  createRoute({
    ...ofSettings('/brands'),
    component: lazyPage(() => import('./settings/brands/brands-page.tsx'), 'BrandsPage'),
  }),
  createRoute({
    ...ofSettings('/bookings'),
    component: lazyPage(() => import('./settings/bookings-page.tsx'), 'BookingsPage'),
  }),
  createRoute({
    ...ofSettings('/delivery-types'),
    component: lazyPage(() => import('./settings/delivery-types-page.tsx'), 'DeliveryTypesPage'),
  }),
  createRoute({
    ...ofSettings('/dangerous-goods'),
    component: lazyPage(() => import('./settings/dangerous-goods-page.tsx'), 'DangerousGoodsPage'),
  }),
  createRoute({
    ...ofSettings('/boxes'),
    component: lazyPage(() => import('./settings/goods/boxes-page.tsx'), 'BoxesPage'),
  }),
  createRoute({
    ...ofSettings('/restricted-goods'),
    component: lazyPage(() => import('./settings/goods/restricted-goods-page.tsx'), 'RestrictedGoodsPage'),
  }),
  createRoute({
    ...ofSettings('/messages'),
    component: lazyPage(() => import('./settings/messages/messages-page.tsx'), 'MessagesPage'),
  }),
  createRoute({
    ...ofSettings('/carriers'),
    component: lazyPage(() => import('./settings/carriers/carriers-page.tsx'), 'CarriersPage'),
  }),
  createRoute({
    ...ofSettings('/carriers/$provider'),
    component: lazyPage(() => import('./settings/carriers/carrier-page.tsx'), 'CarrierPage'),
  }),
  createRoute({
    ...ofSettings('/prices'),
    component: lazyPage(() => import('./settings/carriers/prices-page.tsx'), 'PricesPage'),
  }),
  createRoute({
    ...ofSettings('/log-in'),
    component: lazyPage(() => import('./settings/log-in/log-in-page.tsx'), 'LogInPage'),
  }),
  createRoute({
    ...ofSettings('/history'),
    component: lazyPage(() => import('./settings/history-page.tsx'), 'HistoryPage'),
  }),
] as const

const routeTree = root.addChildren([
  welcome,
  connect,
  inside.addChildren([
    first,
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
    settings.addChildren(settingsPages),
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
