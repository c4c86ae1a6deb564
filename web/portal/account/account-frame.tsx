import { Link, Outlet } from '@tanstack/react-router'
import { GuideLine } from '../guide-link.tsx'
import { usePortal } from '../portal.ts'
import { useCurrentTab } from '../use-current-tab.ts'
import './account.css'

const TABS = [
  ['/account', 'Document', 'operator'],
  ['/account/users', 'People', null],
  ['/account/carriers', 'Carriers', null],
  ['/account/clients', 'API clients', null],
  ['/account/assistants', 'Assistants', null],
  ['/account/webhooks', 'Webhooks', null],
  ['/account/messages', 'Messages', null],
  ['/account/audit', 'Audit log', null],
  ['/account/sandbox', 'Sandbox', 'operator'],
] as const

/** The pages for admins and operators. Only operators see the document and the sandbox. */
export function AccountFrame() {
  const { session } = usePortal()
  const tabs = useCurrentTab()
  const mine = TABS.filter(([, , role]) => role === null || session.user.role === role)
  return (
    <>
      <nav ref={tabs} className="tabs" aria-label="Account">
        {mine.map(([to, word]) => (
          <Link key={to} to={to} activeOptions={{ exact: true }} activeProps={{ 'aria-current': 'page' }}>
            {word}
          </Link>
        ))}
      </nav>
      <Outlet />
      <GuideLine />
    </>
  )
}
