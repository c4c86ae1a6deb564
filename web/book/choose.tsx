import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { formatDay, formatHours, wallOfIso } from '../../src/domain/calendar/format-window.ts'
import type { LinkBooking, PageHelp } from '../shared/api.generated.ts'
import { api, request } from '../shared/api.ts'
import { Loading } from '../shared/loading.tsx'
import { toProblem } from '../shared/problem.ts'
import type { PageBrand } from '../shared/public-band.tsx'
import { Frame, Help } from './booking-page.tsx'
import type { BookingSession } from './booking-session.ts'
import { isClosed } from './closed.tsx'
import { DayChoices } from './day-choices.tsx'
import { NoTimes } from './no-times.tsx'
import { type Choice, choicesOf, stillHeld } from './options.ts'
import { PreferenceFields, usePreferences } from './preferences.tsx'

type Props = {
  token: string
  bookingSession: BookingSession
  brand: PageBrand
  help: PageHelp
  /** `isFirst`: booked by this page, not by another tab. */
  onBooked(booking: LinkBooking, isFirst: boolean): void
  /** It is booked, but this page does not know by which tab. */
  onUsed(): Promise<void>
  /** The session has expired: the page asks for the order number again. */
  onOver(): void
  onClosed(error: unknown): void
}

/** The order, its address, and the times that are available. */
export function Choose({ token, bookingSession, brand, help, onBooked, onUsed, onOver, onClosed }: Props) {
  const { order, session } = bookingSession
  const queries = useQueryClient()
  const [picked, setPicked] = useState<Choice | null>(null)
  const [gone, setGone] = useState<Choice[]>([])
  const [preferences, setPreferences] = usePreferences(token, order)
  const [failure, setFailure] = useState<string | null>(null)
  const [missed, setMissed] = useState(false)
  const [busy, setBusy] = useState(false)
  const headers = { 'Link-Session': session }
  const path = { token }
  // A response for an expired session must not affect the next session.
  const queryKey = ['options', token, session]
  const { data, error, isPending, refetch } = useQuery({
    queryKey,
    queryFn: async () => (await api.GET('/l/{token}/options', { params: { path, header: headers } })).data,
    refetchInterval: 60_000,
  })
  // The link or the session may end while the page is open. Returns true if this page must close.
  const leave = (failure: unknown): boolean => {
    const { code } = toProblem(failure)
    if (isClosed(failure)) onClosed(failure)
    else if (code === 'link_not_verified') onOver()
    // A failed request is repeated at the next poll.
    else if (code === 'link_used') onUsed().catch(() => {})
    else return false
    return true
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each response.
  useEffect(() => {
    if (error) leave(error)
  }, [error])

  const nothingFits = error !== null && toProblem(error).code === 'no_service_available'
  const live = choicesOf(nothingFits ? {} : (data ?? {}), order.time_zone)
  const none = live.length === 0 && (nothingFits || data !== undefined)
  const today = wallOfIso(order.now).day
  const choice = stillHeld(picked, live)
  const shown = live.map((one) => (one.type === choice?.type ? choice : one))
  const choices = [...shown, ...gone.filter(({ type }) => !live.some((one) => one.type === type))]
  const hasPassed = picked !== null && choice === null && data !== undefined

  const book = async () => {
    if (!choice) return
    setBusy(true)
    setFailure(null)
    setMissed(false)
    try {
      const body = {
        delivery_type: choice.type,
        quote_id: choice.quoteId,
        authority_to_leave: preferences.leave,
        ...(preferences.note.trim() && { special_instructions: preferences.note.trim() }),
      }
      const init = { params: { path, header: headers }, body }
      const { data: answer, status } = await request('post', '/l/{token}/book', init)
      onBooked(answer.data, status === 201)
    } catch (error) {
      if (leave(error)) return
      const { code, message, body } = toProblem(error)
      const hasGone = code === 'option_changed' || code === 'no_service_available'
      if (hasGone) setGone((before) => [...before, choice])
      if (code === 'option_changed') queries.setQueryData(queryKey, body.options)
      else await refetch()
      if (hasGone) setMissed(true)
      else setFailure(message)
      setPicked(null)
    } finally {
      setBusy(false)
    }
  }
  const alert =
    missed || hasPassed
      ? `That time is no longer available. ${none ? 'It was the last one.' : OTHERS}`
      : failure
  return (
    <Frame brand={brand} order={order.reference} title={none ? NO_TIME : 'When should we deliver it?'}>
      <div className="choose">
        <section className="intro">
          <h1>
            {none ? NO_TIME : 'When should we deliver it'}, {order.customer.first_name}
            {none ? '.' : '?'}
          </h1>
          <p>
            {formatItems(order.line_items)}, ready at our {order.store} store.
          </p>
        </section>
        <section className="to" aria-label="Delivery address">
          <b>{[order.address.address2, order.address.address].filter(Boolean).join(', ')}</b>
          <p>
            {order.address.city} {order.address.state} {order.address.post_code}
          </p>
        </section>
        {isPending && <Loading />}
        {error && !nothingFits && <p className="wrong">{toProblem(error).message}</p>}
        <DayChoices
          choices={choices}
          live={shown}
          picked={choice?.type ?? null}
          now={wallOfIso(order.now)}
          onPick={(type) => {
            setMissed(false)
            setPicked(live.find((one) => one.type === type) ?? null)
          }}
        />
        {none && alert && <Alert words={alert} />}
        {none ? (
          <NoTimes brand={brand} help={help} />
        ) : (
          <>
            <PreferenceFields preferences={preferences} onChange={setPreferences} />
            <p className="hold">
              We check with the couriers every time you open this page, and we hold the time you choose while
              you finish.
            </p>
            <Help help={help} />
            <div className="go">
              {alert && <Alert words={alert} />}
              <button
                type="button"
                className="b next"
                aria-disabled={!choice || busy}
                onClick={() => !busy && book()}
              >
                {choice
                  ? `Deliver it ${formatDay(choice.window.from.day, today)}, ${formatHours(choice.window)}`
                  : 'Choose a time'}
              </button>
            </div>
          </>
        )}
      </div>
    </Frame>
  )
}

const NO_TIME = 'No delivery times right now'
const OTHERS = 'Please choose another one.'

function Alert({ words }: { words: string }) {
  return (
    <p role="alert" className="wrong">
      {words}
    </p>
  )
}

function formatItems(items: BookingSession['order']['line_items']): string {
  const [first, ...rest] = items
  const more = rest.reduce((sum, { quantity }) => sum + quantity, (first?.quantity ?? 1) - 1)
  if (!first) return 'Your order'
  return more === 0 ? first.name : `${first.name} and ${more} more ${more === 1 ? 'item' : 'items'}`
}
