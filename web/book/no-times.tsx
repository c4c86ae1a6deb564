import type { PageHelp } from '../shared/api.generated.ts'
import type { PageBrand } from '../shared/public-band.tsx'

/** No time is available now: the contact, and no button. */
export function NoTimes({ brand, help }: { brand: PageBrand; help: PageHelp }) {
  return (
    <section className="none" role="status">
      <p>No carrier can deliver to you right now. This page checks again every minute.</p>
      <p>
        {help.tel ? (
          <>
            The store can tell you more:{' '}
            <a href={`tel:${help.tel}`}>
              call {brand.name} {help.store}
            </a>
          </>
        ) : (
          'The store can tell you more.'
        )}
      </p>
    </section>
  )
}
