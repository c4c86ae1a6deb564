import { Link, Outlet } from '@tanstack/react-router'
import { GuideLine } from '../guide-link.tsx'
import { useCurrentTab } from '../use-current-tab.ts'
import { SettingsForms } from './settings-forms.tsx'

const PAGES = [
  ['/settings/stores', 'Stores'],
  ['/settings/brands', 'Brands'],
  ['/settings/delivery-types', 'Delivery types'],
  ['/settings/boxes', 'Boxes'],
  ['/settings/dangerous-goods', 'Dangerous goods'],
  ['/settings/restricted-goods', 'Restricted goods'],
  ['/settings/carriers', 'Carriers'],
  ['/settings/prices', 'Prices'],
  ['/settings/bookings', 'Bookings'],
  ['/settings/messages', 'Messages'],
  ['/settings/log-in', 'Login'],
  ['/settings/history', 'History'],
] as const

/** The account's settings as forms. Each form edits the same document; one bar reviews and applies all changes. */
export function SettingsFrame() {
  const nav = useCurrentTab()
  return (
    <>
      <nav ref={nav} className="tabs" aria-label="Settings">
        {PAGES.map(([to, word]) => (
          <Link key={to} to={to} activeProps={{ 'aria-current': 'page' }}>
            {word}
          </Link>
        ))}
      </nav>
      <SettingsForms within="/settings">
        <Outlet />
        <GuideLine />
      </SettingsForms>
    </>
  )
}
