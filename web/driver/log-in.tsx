import { type FormEvent, useState } from 'react'
import { ActionButton } from '../shared/action-button.tsx'
import { api } from '../shared/api.ts'
import { toProblem } from '../shared/problem.ts'
import { loggedIn, useOutbox } from './outbox.ts'
import { readNumber, saveNumber } from './stored-number.ts'
import { Top } from './top.tsx'

/** Maximum number of businesses that one driver works for. */
const MAX_CODES = 10

/**
 * Login by phone number and a code by SMS, one code from each account that the driver drives for. `onBack` is set when
 * the driver is already logged in and adds an account.
 */
export function LogIn({ onDone, onBack }: { onDone(): void; onBack?: () => void }) {
  const { waiting } = useOutbox()
  const [phone, setPhone] = useState(readNumber)
  const [sentTo, setSentTo] = useState<string | null>(null)
  const [message, setSaid] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const ask = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setSaid(null)
    try {
      await api.POST('/driver/login', { body: { phone } })
      saveNumber(phone)
      setSentTo(phone)
    } catch (error) {
      setSaid(toProblem(error).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Top title="Drover, for drivers" quiet />
      <main className="login">
        {waiting.length > 0 && !onBack && (
          <p className="because">{waiting.length} still on this phone: log in, and they are sent.</p>
        )}
        {sentTo === null ? (
          <form onSubmit={ask}>
            <h1 className="q">{onBack ? 'Add a business' : 'Log in'}</h1>
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
            {message && <Wrong>{message}</Wrong>}
            <div className="thumb one">
              <ActionButton type="submit" className="big" busy={busy}>
                Send me a code
              </ActionButton>
              {onBack && (
                <button type="button" className="cant" onClick={onBack}>
                  Back to your jobs
                </button>
              )}
            </div>
          </form>
        ) : (
          <Codes phone={sentTo} onDone={onDone} onOther={() => setSentTo(null)} />
        )}
      </main>
    </>
  )
}

/** One field for each code. A correct code is not asked for again when another one was wrong. */
function Codes({ phone, onDone, onOther }: { phone: string; onDone(): void; onOther(): void }) {
  const [codes, setCodes] = useState([''])
  const [entered, setEntered] = useState(0)
  const [message, setSaid] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const finish = async () => {
    await loggedIn()
    onDone()
  }
  const verify = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setSaid(null)
    try {
      for (const [index, code] of codes.entries()) {
        if (index < entered) continue
        // Each request carries the session of those before it, in the cookie.
        await api.POST('/driver/verify', { body: { phone, code } })
        setEntered(index + 1)
      }
      await finish()
    } catch (error) {
      setSaid(toProblem(error).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={verify}>
      <h1 className="q">The code</h1>
      <p className="because">
        If {phone} belongs to a driver, we’ve sent it a six-digit code. The code lasts 5 minutes. Each
        business you drive for sends its own code.
      </p>
      {codes.map((code, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: fields are only added at the end.
        <label className="field digits" key={index}>
          {index === 0 ? 'Six digits' : `Six digits, code ${index + 1}`}
          <input
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={7}
            required
            readOnly={index < entered}
            aria-invalid={message !== null && index === entered}
            value={code}
            onChange={({ target }) => setCodes(codes.with(index, target.value))}
          />
          {index < entered && <small>That’s right.</small>}
        </label>
      ))}
      {message && <Wrong>{message}</Wrong>}
      <div className="thumb one">
        <ActionButton type="submit" className="big" busy={busy}>
          Log in
        </ActionButton>
        {codes.length < MAX_CODES && (
          <button type="button" className="cant" onClick={() => setCodes([...codes, ''])}>
            I got another code
          </button>
        )}
        <button type="button" className="cant" onClick={entered > 0 ? finish : onOther}>
          {entered > 0 ? 'Continue without it' : 'Another number'}
        </button>
      </div>
    </form>
  )
}

function Wrong({ children }: { children: string }) {
  return (
    <p role="alert" className="wrong">
      {children}
    </p>
  )
}
