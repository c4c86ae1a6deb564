import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { PageHelp } from '../shared/api.generated.ts'
import { problemOf } from '../shared/problem.ts'
import type { AskWords } from './ask-words.ts'
import { Help } from './booking-page.tsx'
import { isClosed } from './closed.tsx'
import { openVisit, type Visit } from './visit.ts'

type Props = {
  token: string
  help: PageHelp
  words: AskWords
  triesLeft: number
  onOpen(visit: Visit): void
  onClosed(error: unknown): void
}

/** The order's number is what tells its customer from whoever else has the link. */
export function AskReference({ token, help, words, triesLeft, onOpen, onClosed }: Props) {
  const [reference, setReference] = useState('')
  const [said, setSaid] = useState<string | null>(triesLeft < 5 ? leftWords(triesLeft) : null)
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const wrong = useRef(0)

  const verify = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      onOpen(await openVisit(token, reference))
    } catch (error) {
      if (isClosed(error)) return onClosed(error)
      const { code, message } = problemOf(error)
      wrong.current += 1
      const left = Math.max(0, triesLeft - wrong.current)
      setSaid(
        code === 'wrong_reference' ? `That is not the reference of this order. ${leftWords(left)}` : message,
      )
    } finally {
      setBusy(false)
    }
  }
  useEffect(() => {
    if (said && wrong.current > 0) field.current?.focus()
  }, [said])
  return (
    <form className="ask" onSubmit={verify} noValidate>
      <h1>{words.title}</h1>
      <p>{words.why}</p>
      <label htmlFor="reference">Order reference</label>
      <small id="where">It is in your receipt or on the order’s e-mail.</small>
      <input
        id="reference"
        ref={field}
        value={reference}
        maxLength={200}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        aria-describedby={said ? 'wrong where' : 'where'}
        aria-invalid={wrong.current > 0}
        onChange={(event) => setReference(event.target.value)}
      />
      {said && (
        <p id="wrong" role="alert" className="wrong">
          {said}
        </p>
      )}
      <div className="go">
        <button type="submit" className="b next" disabled={busy || reference.trim() === ''}>
          {words.go}
        </button>
      </div>
      <Help help={help} />
    </form>
  )
}

function leftWords(left: number): string {
  return left === 1 ? '1 try left.' : `${left} tries left.`
}
