import { Menu } from '@mantine/core'
import { Link, Navigate, Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { BrandMark } from '../../shared/brand-mark.tsx'
import { Icon } from '../../shared/icon.tsx'
import { Loading } from '../../shared/loading.tsx'
import { KeysHelp } from '../keys/keys-help.tsx'
import { useKeptFocus } from '../keys/use-kept-focus.ts'
import { useFrameKeys, useScans } from '../keys/use-keys.ts'
import { LiveUpdates } from '../live-updates.tsx'
import { type Portal, type Scope, usePortal } from '../portal.ts'
import { StartLink, useStartShown } from '../start/start-link.tsx'
import { FailedLogIns } from './failed-log-ins.tsx'
import { PersonMenu } from './person-menu.tsx'
import { SandboxClock } from './sandbox-clock.tsx'
import { SearchField } from './search-field.tsx'
import { StoreMenu } from './store-menu.tsx'
import { useFind } from './use-find.ts'

type Place = { to: string; word: string; scope: Scope; isSeparate?: true; withoutStore?: true }

/** In order of importance; pages outside the user's role are hidden. */
export const PLACES: readonly Place[] = [
  { to: '/today', word: 'Today', scope: 'deliveries:read' },
  { to: '/deliveries', word: 'Deliveries', scope: 'deliveries:read' },
  { to: '/manifests', word: 'Manifests', scope: 'manifests' },
  { to: '/couriers', word: 'Couriers', scope: 'deliveries:read' },
  { to: '/links', word: 'Links', scope: 'links' },
  { to: '/insights', word: 'Insights', scope: 'account', isSeparate: true },
  { to: '/settings', word: 'Settings', scope: 'account', withoutStore: true },
  { to: '/account', word: 'Account', scope: 'account', withoutStore: true },
]

/** Pages that an account without stores has already; any other address leads to "Getting started". */
const WITHOUT_STORE = /\/(?:start|settings|account|log-in)(?:\/|$)/

function listPlaces({ stores, may }: Portal): Place[] {
  return PLACES.filter(({ scope, withoutStore }) => may(scope) && (stores.length > 0 || withoutStore))
}

/** Header, page, and on small screens the navigation at the bottom. */
export function Frame() {
  const portal = usePortal()
  const navigate = useNavigate()
  const [help, setHelp] = useState(false)
  const isStartShown = useStartShown()
  const { pathname } = useLocation()
  useScans(useFind())
  useKeptFocus()
  useFrameKeys({
    n: () => navigate({ to: '/new' }),
    m: () => navigate({ to: '/manifest' }),
    'g t': () => navigate({ to: '/today' }),
    'g d': () => navigate({ to: '/deliveries' }),
    'g m': () => navigate({ to: '/manifests' }),
    'g i': () => navigate({ to: '/insights' }),
    '?': () => setHelp(true),
  })
  if (isStartShown === undefined)
    return (
      <main className="alone">
        <Loading />
      </main>
    )
  return (
    <>
      <a className="skip" href="#page">
        Skip to main content
      </a>
      <Band portal={portal} isStartShown={isStartShown} />
      <SandboxClock />
      <FailedLogIns />
      <main id="page" tabIndex={-1}>
        {portal.stores.length > 0 || WITHOUT_STORE.test(pathname) ? <Outlet /> : <Navigate to="/start" />}
      </main>
      {portal.stores.length > 0 ? (
        <FootBar portal={portal} isStartShown={isStartShown} />
      ) : (
        <FirstFootBar portal={portal} />
      )}
      <LiveUpdates />
      {help && <KeysHelp onClose={() => setHelp(false)} />}
    </>
  )
}

type BarProps = { portal: Portal; isStartShown: boolean }

function Band({ portal, isStartShown }: BarProps) {
  const hasStore = portal.stores.length > 0
  return (
    <header className={isStartShown && hasStore ? 'band with-start' : 'band'}>
      <Link to="/today" className="mark" aria-label="Drover: go to Today">
        <BrandMark />
        <span>Drover</span>
      </Link>
      <StoreMenu />
      <nav aria-label="Main">
        {isStartShown && <StartLink />}
        {listPlaces(portal).map(({ to, word, isSeparate }) => (
          <Link key={to} to={to} className={isSeparate ? 'sep' : ''} activeProps={{ 'aria-current': 'page' }}>
            {word}
          </Link>
        ))}
      </nav>
      {hasStore && <SearchField />}
      {hasStore && (
        <Link to="/new" className="b new">
          <Icon name="plus" /> New delivery <kbd>N</kbd>
        </Link>
      )}
      <PersonMenu />
    </header>
  )
}

function FootBar({ portal, isStartShown }: BarProps) {
  const more = listPlaces(portal).filter(({ to }) => to !== '/today')
  return (
    <nav className="foot-bar" aria-label="Main">
      <Link to="/today" activeProps={{ 'aria-current': 'page' }}>
        Today
      </Link>
      <Link to="/manifest" activeProps={{ 'aria-current': 'page' }}>
        Manifest
      </Link>
      <Link to="/new" activeProps={{ 'aria-current': 'page' }}>
        New
      </Link>
      <Menu position="top-end">
        <Menu.Target>
          <button type="button">More</button>
        </Menu.Target>
        <Menu.Dropdown>
          {isStartShown && (
            <Menu.Item component={Link} to="/start">
              Getting started
            </Menu.Item>
          )}
          {more.map(({ to, word }) => (
            <Menu.Item key={to} component={Link} to={to}>
              {word}
            </Menu.Item>
          ))}
          {portal.may('account') && (
            <Menu.Item renderRoot={(props) => <Link {...props} to="/insights" search={{ month: 'last' }} />}>
              Last month’s costs
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </nav>
  )
}

/** On small screens, while the account has no store yet. */
function FirstFootBar({ portal }: { portal: Portal }) {
  return (
    <nav className="foot-bar first" aria-label="Main">
      <StartLink />
      {listPlaces(portal).map(({ to, word }) => (
        <Link key={to} to={to} activeProps={{ 'aria-current': 'page' }}>
          {word}
        </Link>
      ))}
    </nav>
  )
}
