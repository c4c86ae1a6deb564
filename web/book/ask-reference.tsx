import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ActionButton } from '../shared/action-button.tsx'
import type { PageHelp } from '../shared/api.generated.ts'
import { Help } from './booking-page.tsx'
import { type BookingSession, openSession } from './booking-session.ts'
import { isClosed } from './closed.tsx'
import { type FailedAttempt, formatAttemptsLeft, toFailedAttempt } from './failed-attempt.ts'
import type { ReferenceTexts } from './reference-texts.ts'

type Props = {
  token: string
  help: PageHelp
  words: ReferenceTexts
  attemptsLeft: number
  onOpen(bookingSession: BookingSession): void
  onClosed(error: unknown): void
}

/** The order number proves that the customer is not just anyone with the link. */
export function AskReference({ token, help, words, attemptsLeft, onOpen, onClosed }: Props) {
  const [reference, setReference] = useState('')
  const [tried, setTried] = useState<FailedAttempt | null>(null)
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const message = tried?.message ?? (attemptsLeft < 5 ? formatAttemptsLeft(attemptsLeft) : null)

  const verify = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      onOpen(await openSession(token, reference))
    } catch (error) {
      if (isClosed(error)) return onClosed(error)
      setTried(toFailedAttempt(error))
    } finally {
      setBusy(false)
    }
  }
  useEffect(() => {
    if (tried) field.current?.focus()
  }, [tried])
  return (
    <form className="ask" onSubmit={verify} noValidate>
      <h1>{words.title}</h1>
      <p>{words.why}</p>
      <label htmlFor="reference">Order reference</label>
      <small id="where">It is in your receipt or on the order’s email.</small>
      <input
        id="reference"
        ref={field}
        value={reference}
        maxLength={200}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        aria-describedby={message ? 'wrong where' : 'where'}
        aria-invalid={tried?.isWrong ?? false}
        onChange={(event) => setReference(event.target.value)}
      />
      {message && (
        <p id="wrong" role="alert" className="wrong">
          {message}
        </p>
      )}
      <div className="go">
        <ActionButton
          type="submit"
          className="b next"
          busy={busy}
          disabledReason={reference.trim() === '' && 'Enter your order number first.'}
        >
          {words.go}
        </ActionButton>
      </div>
      <Help help={help} />
    </form>
  )
}
