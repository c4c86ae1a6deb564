import { useEffect, useRef, useState } from 'react'
import { dismissRefused, type Refused, useOutbox } from './outbox.ts'
import { hashOf, useRoute } from './route.ts'

/** Steps that the server rejected, shown on every page until the driver has read them. */
export function Refusals() {
  const { refused } = useOutbox()
  return refused.map((one) => <Refusal key={one.id} refused={one} />)
}

function Refusal({ refused: { id, jobId, about, message, remedy, again, photo } }: { refused: Refused }) {
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
      {photo !== undefined && <SavePhoto photo={photo} />}
      <button type="button" className="half" onClick={() => dismissRefused(id)}>
        I have read it
      </button>
    </section>
  )
}

/** Stores the photo among the phone's own files. Browsers limit the length of data URLs, so the link names a blob. */
function SavePhoto({ photo }: { photo: string }) {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const bytes = Uint8Array.from(atob(photo), (letter) => letter.charCodeAt(0))
    const made = URL.createObjectURL(new Blob([bytes], { type: 'image/jpeg' }))
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [photo])
  return (
    <a className="half" href={url} download="proof.jpg">
      Save photo
    </a>
  )
}
