import { type FormEvent, useState } from 'react'
import { answerOf, api } from '../shared/api.ts'
import { problemOf } from '../shared/problem.ts'
import { loggedIn, useOutbox } from './outbox.ts'
import { Top } from './top.tsx'

/** By phone and a code that comes by SMS. */
export function LogIn({ onDone }: { onDone(): void }) {
  const { waiting } = useOutbox()
  const [phone, setPhone] = useState('')
  const [sentTo, setSentTo] = useState<string | null>(null)
  const [code, setCode] = useState('')
  const [said, setSaid] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  const attempt = async (work: () => Promise<void>) => {
    setBusy(true)
    setSaid(null)
    try {
      await work()
    } catch (error) {
      setSaid(problemOf(error).message)
    } finally {
      setBusy(false)
    }
  }
  const ask = (event: FormEvent) => {
    event.preventDefault()
    return attempt(async () => {
      await answerOf(api.POST('/driver/login', { body: { phone } }))
      setSentTo(phone)
    })
  }
  const verify = (event: FormEvent) => {
    event.preventDefault()
    return attempt(async () => {
      await answerOf(api.POST('/driver/verify', { body: { phone: sentTo ?? phone, code } }))
      loggedIn()
      onDone()
    })
  }
  const wrong = said && (
    <p role="alert" className="wrong">
      {said}
    </p>
  )
  return (
    <>
      <Top title="Drover, for drivers" quiet />
      <main className="log-in">
        {waiting.length > 0 && (
          <p className="because">{waiting.length} still on this phone: log in, and they are sent.</p>
        )}
        {sentTo === null ? (
          <form onSubmit={ask}>
            <h1 className="q">Log in</h1>
            <label className="field">
              Your mobile number
              <input
                type="tel"
                autoComplete="tel"
                required
                value={phone}
                onChange={(event) => setPhone(event.target.value)}
              />
            </label>
            {wrong}
            <div className="thumb one">
              <button type="submit" className="big" disabled={busy}>
                Send me a code
              </button>
            </div>
          </form>
        ) : (
          <form onSubmit={verify}>
            <h1 className="q">The code</h1>
            <p className="because">
              If {sentTo} drives for a store, six digits are on their way. They last 5 minutes.
            </p>
            <label className="field digits">
              Six digits
              <input
                inputMode="numeric"
                autoComplete="one-time-code"
                maxLength={7}
                required
                value={code}
                onChange={(event) => setCode(event.target.value)}
              />
            </label>
            {wrong}
            <div className="thumb one">
              <button type="submit" className="big" disabled={busy}>
                Log in
              </button>
              <button type="button" className="cant" onClick={() => setSentTo(null)}>
                Another number
              </button>
            </div>
          </form>
        )}
      </main>
    </>
  )
}
