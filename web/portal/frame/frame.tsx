import { Menu } from '@mantine/core'
import { Link, Outlet, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { BrandMark } from '../../shared/brand-mark.tsx'
import { Icon } from '../../shared/icon.tsx'
import { KeysHelp } from '../keys/keys-help.tsx'
import { useFrameKeys, useScans } from '../keys/use-keys.ts'
import { LiveUpdates } from '../live-updates.tsx'
import { type Portal, type Scope, usePortal } from '../portal.ts'
import { FailedLogIns } from './failed-log-ins.tsx'
import { PersonMenu } from './person-menu.tsx'
import { SandboxClock } from './sandbox-clock.tsx'
import { SearchField } from './search-field.tsx'
import { StoreMenu } from './store-menu.tsx'
import { useFind } from './use-find.ts'

type Place = { to: string; word: string; scope: Scope; isSeparate?: true }

/** In order of importance; pages outside the user's role are hidden. */
export const PLACES: readonly Place[] = [
  { to: '/today', word: 'Today', scope: 'deliveries:read' },
  { to: '/deliveries', word: 'Deliveries', scope: 'deliveries:read' },
  { to: '/manifests', word: 'Manifests', scope: 'manifests' },
  { to: '/couriers', word: 'Couriers', scope: 'deliveries:read' },
  { to: '/links', word: 'Links', scope: 'links' },
  { to: '/insights', word: 'Insights', scope: 'account', isSeparate: true },
  { to: '/settings', word: 'Settings', scope: 'account' },
  { to: '/account', word: 'Account', scope: 'account' },
]

/** Header, page, and on small screens the navigation at the bottom. */
export function Frame() {
  const portal = usePortal()
  const navigate = useNavigate()
  const [help, setHelp] = useState(false)
  useScans(useFind())
  useFrameKeys({
    n: () => navigate({ to: '/new' }),
    m: () => navigate({ to: '/manifest' }),
    'g t': () => navigate({ to: '/today' }),
    'g d': () => navigate({ to: '/deliveries' }),
    'g m': () => navigate({ to: '/manifests' }),
    'g i': () => navigate({ to: '/insights' }),
    '?': () => setHelp(true),
  })
  return (
    <>
      <a className="skip" href="#page">
        Skip to the page
      </a>
      <Band portal={portal} />
      <SandboxClock />
      <FailedLogIns />
      <main id="page" tabIndex={-1}>
        <Outlet />
      </main>
      <FootBar portal={portal} />
      <LiveUpdates />
      {help && <KeysHelp onClose={() => setHelp(false)} />}
    </>
  )
}

function Band({ portal }: { portal: Portal }) {
  return (
    <header className="band">
      <Link to="/today" className="mark" aria-label="Drover, today">
        <BrandMark />
        <span>Drover</span>
      </Link>
      <StoreMenu />
      <nav aria-label="Main">
        {PLACES.filter(({ scope }) => portal.may(scope)).map(({ to, word, isSeparate }) => (
          <Link key={to} to={to} className={isSeparate ? 'sep' : ''} activeProps={{ 'aria-current': 'page' }}>
            {word}
          </Link>
        ))}
      </nav>
      <SearchField />
      <Link to="/new" className="b new">
        <Icon name="plus" /> New delivery <kbd>N</kbd>
      </Link>
      <PersonMenu />
    </header>
  )
}

function FootBar({ portal }: { portal: Portal }) {
  const more = PLACES.filter(({ to, scope }) => portal.may(scope) && to !== '/today')
  return (
    <nav className="foot-bar" aria-label="Main, small">
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
          {more.map(({ to, word }) => (
            <Menu.Item key={to} component={Link} to={to}>
              {word}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </nav>
  )
}
