import { useLocation } from '@tanstack/react-router'

type Guide = readonly [path: string, title: string]

const PORTAL: Guide = ['portal', 'The portal']
const CARRIERS: Guide = ['real-carriers#in-the-portal', 'Real carriers']
const TEXTS: Guide = ['messages#write-your-own-messages', 'Write your own messages']

/** The guide that helps with a page of the portal. */
const GUIDES: Readonly<Record<string, Guide>> = {
  '/settings/carriers': CARRIERS,
  '/settings/prices': ['real-carriers#prices', 'Prices'],
  '/settings/bookings': ['real-carriers#when-a-carrier-stops-responding', 'When a carrier stops responding'],
  '/settings/messages': TEXTS,
  '/settings/log-in': ['people#log-in-with-an-openid-connect-provider', 'Log in with a provider'],
  '/account': ['accounts-as-code', 'Accounts as code'],
  '/account/users': ['people', 'People'],
  '/account/carriers': CARRIERS,
  '/account/clients': ['accounts-as-code#4-create-api-clients', 'Create API clients'],
  '/account/assistants': ['mcp#connect-in-your-own-name', 'Assistants'],
  '/account/webhooks': ['webhooks', 'Events and webhooks'],
  '/account/messages': ['messages', 'Messages'],
  '/account/audit': ['people#the-audit-log', 'The audit log'],
}

/** A line below a page of Settings or Account; nothing where no guide helps. */
export function GuideLine() {
  const { pathname } = useLocation()
  const page = Object.keys(GUIDES)
    .filter((path) => pathname === path || pathname.startsWith(`${path}/`))
    .sort((a, b) => b.length - a.length)[0]
  const [path, title] = (page && GUIDES[page]) || PORTAL
  return (
    <p className="dim guide-line">
      Guide: <GuideLink path={path}>{title}</GuideLink>
    </p>
  )
}

/** Opens a guide in a new tab, so that typed input on this page stays. */
export function GuideLink({ path, children }: { path: string; children: string }) {
  return (
    <a href={`/docs/guides/${path}`} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}
