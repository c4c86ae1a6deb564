import type { LinkFrontAnswer, PageHelp } from '../shared/api.generated.ts'
import { type ProblemCode, toProblem } from '../shared/problem.ts'
import { NO_BRAND, type PageBrand } from '../shared/public-band.tsx'
import { Frame, Help } from './booking-page.tsx'

const TEXTS: Readonly<Partial<Record<ProblemCode, string>>> = {
  link_expired: 'This link has expired.',
  link_revoked: 'The store has withdrawn this link.',
  link_locked: 'This link is locked: too many wrong references were tried.',
  capability_disabled: 'This store isn’t taking bookings by link at the moment.',
  not_found: 'There is no such link. Check that the address is complete.',
}

/** Whether the link itself is over; any other failure can be retried. */
export function isClosed(error: unknown): boolean {
  const { code } = toProblem(error ?? null)
  return code in TEXTS
}

type ClosedProps = { error: unknown; front: LinkFrontAnswer['data'] | null; retry(): void }

/** One sentence and the contact. Unless the link itself is over, the customer can try again. */
export function Closed({ error, front, retry }: ClosedProps) {
  const problem = toProblem(error)
  const details = problem.body as { brand?: PageBrand; help?: PageHelp }
  const brand = details.brand ?? front?.brand ?? NO_BRAND
  const help = details.help ?? front?.help
  const words = TEXTS[problem.code]
  return (
    <Frame brand={brand} title={words ?? 'We can’t check right now'}>
      <div className="closed" role="alert">
        <h1>{words ?? problem.message}</h1>
        {words && help?.tel && (
          <p>
            The store can send you another:{' '}
            <a href={`tel:${help.tel}`}>
              call {brand.name} {help.store}
            </a>
          </p>
        )}
        {!words && (
          <>
            <p>This page checks again every minute.</p>
            <button type="button" className="b" onClick={retry}>
              Try again
            </button>
          </>
        )}
        {!words && help && <Help brand={brand} help={help} />}
      </div>
    </Frame>
  )
}
