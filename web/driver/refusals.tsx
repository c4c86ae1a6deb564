import { useEffect, useRef } from 'react'
import { dismissRefused, type Refused, useOutbox } from './outbox.ts'
import { hashOf, useRoute } from './route.ts'

/** Steps that the server rejected, shown on every page until the driver has read them. */
export function Refusals() {
  const { refused } = useOutbox()
  return refused.map((one) => <Refusal key={one.id} refused={one} />)
}

function Refusal({ refused: { id, jobId, about, message, remedy, again } }: { refused: Refused }) {
  const route = useRoute()
  const box = useRef<HTMLElement>(null)
  // The driver may have scrolled away from the message.
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const isThere = route.page === 'proof' && route.job === jobId
  return (
    <section ref={box} className="clash" role="alert">
      <h2>{about}: that did not go through.</h2>
      <p>
        {message} {remedy}
      </p>
      {again && !isThere && (
        <a className="half" href={hashOf({ page: 'proof', job: jobId })}>
          Record it again
        </a>
      )}
      <button type="button" className="half" onClick={() => dismissRefused(id)}>
        I have read it
      </button>
    </section>
  )
}
