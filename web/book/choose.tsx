import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { dayWords, hoursWords, wallOfIso } from '../../src/domain/calendar/window-words.ts'
import type { LinkBooking, PageHelp } from '../shared/api.generated.ts'
import { answerOf, api } from '../shared/api.ts'
import { Loading } from '../shared/loading.tsx'
import { problemOf } from '../shared/problem.ts'
import { Help } from './booking-page.tsx'
import { isClosed } from './closed.tsx'
import { Option } from './option.tsx'
import { byDay, type Choice, choicesOf } from './options.ts'
import type { Visit } from './visit.ts'

type Props = {
  token: string
  visit: Visit
  help: PageHelp
  onBooked(booking: LinkBooking): void
  /** The session is over: the number is asked for again. */
  onOver(): void
  onClosed(error: unknown): void
}

/** The order, where it goes, and the times that are really to be had. */
export function Choose({ token, visit, help, onBooked, onOver, onClosed }: Props) {
  const { order, session } = visit
  const [picked, setPicked] = useState<Choice['type'] | null>(null)
  const [gone, setGone] = useState<Choice[]>([])
  const [leave, setLeave] = useState(order.authority_to_leave ?? false)
  const [note, setNote] = useState(order.note ?? '')
  const [said, setSaid] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const headers = { 'Link-Session': session }
  const path = { token }
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['options', token],
    queryFn: async () =>
      (await answerOf(api.GET('/l/{token}/options', { params: { path, header: headers } }))).data,
    refetchInterval: 60_000,
  })
  // The link may end, or the visit, while one looks.
  useEffect(() => {
    if (isClosed(error)) onClosed(error)
    else if (problemOf(error ?? null).code === 'link_not_verified') onOver()
  }, [error, onClosed, onOver])

  const live = choicesOf(data ?? {}, order.time_zone)
  const today = wallOfIso(order.now).day
  const choices = [...live, ...gone.filter(({ type }) => !live.some((one) => one.type === type))]
  const choice = live.find(({ type }) => type === picked) ?? null

  const book = async () => {
    if (!choice) return
    setBusy(true)
    setSaid(null)
    try {
      const body = {
        delivery_type: choice.type,
        authority_to_leave: leave,
        ...(note.trim() && { special_instructions: note.trim() }),
      }
      const { data: booking } = await answerOf(
        api.POST('/l/{token}/book', { params: { path, header: headers }, body }),
      )
      onBooked(booking)
    } catch (failure) {
      if (isClosed(failure)) return onClosed(failure)
      const { code, message } = problemOf(failure)
      if (code === 'link_not_verified') return onOver()
      if (code === 'no_service_available') setGone((before) => [...before, choice])
      setSaid(
        code === 'no_service_available' ? 'That one has just gone. The others are still to be had.' : message,
      )
      await refetch()
      setPicked(null)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="choose">
      <section className="intro">
        <h1>When shall it come, {order.customer.first_name}?</h1>
        <p>
          {itemsWords(order.line_items)}, ready at our {order.store} store.
        </p>
      </section>
      <section className="to" aria-label="Where it goes">
        <b>{[order.address.address2, order.address.address].filter(Boolean).join(', ')}</b>
        <p>
          {order.address.city} {order.address.state} {order.address.post_code}
        </p>
      </section>
      {isPending && <Loading />}
      {error && <p className="wrong">{problemOf(error).message}</p>}
      {byDay(choices).map(({ day, choices: ofDay }, index) => (
        <fieldset key={day}>
          <legend>{capital(dayWords(day, today), day, today)}</legend>
          {index === 0 && <Axis />}
          {ofDay.map((one) => (
            <Option
              key={one.type}
              choice={one}
              picked={picked === one.type}
              gone={!live.includes(one)}
              soonest={one === live[0]}
              now={day === today ? wallOfIso(order.now) : null}
              onPick={() => setPicked(one.type)}
            />
          ))}
        </fieldset>
      ))}
      <fieldset className="wishes">
        <legend>If you are out</legend>
        <label>
          <input type="checkbox" checked={leave} onChange={(event) => setLeave(event.target.checked)} />
          Leave it at the door
        </label>
        <label className="note">
          A note for the courier
          <input value={note} maxLength={300} onChange={(event) => setNote(event.target.value)} />
        </label>
      </fieldset>
      <p className="hold">We ask the couriers again every time you look, so these times are real.</p>
      <Help help={help} />
      <div className="go">
        {said && (
          <p role="alert" className="wrong">
            {said}
          </p>
        )}
        <button
          type="button"
          className="b next"
          aria-disabled={!choice || busy}
          onClick={() => !busy && book()}
        >
          {choice
            ? `Bring it ${dayWords(choice.window.from.day, today)}, ${hoursWords(choice.window)}`
            : 'Choose a time'}
        </button>
      </div>
    </div>
  )
}

function Axis() {
  return (
    <div className="ax" aria-hidden="true">
      <span>8 am</span>
      <span>noon</span>
      <span>4 pm</span>
      <span>8 pm</span>
    </div>
  )
}

/** `Today, Tuesday 24 November`. */
function capital(words: string, day: number, today: number): string {
  const near = words === 'today' || words === 'tomorrow'
  const whole = near ? `${words}, ${dayWords(day, today - 400).replace(/ \d{4}$/, '')}` : words
  return whole[0]?.toUpperCase() + whole.slice(1)
}

function itemsWords(items: Visit['order']['line_items']): string {
  const [first, ...rest] = items
  const more = rest.reduce((sum, { quantity }) => sum + quantity, (first?.quantity ?? 1) - 1)
  if (!first) return 'Your order'
  return more === 0 ? first.name : `${first.name} and ${more} more ${more === 1 ? 'thing' : 'things'}`
}
