import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { LinkBooking, PageHelp } from '../shared/api.generated.ts'
import { api } from '../shared/api.ts'
import { Loading } from '../shared/loading.tsx'
import { NO_BRAND, type PageBrand, PublicBand } from '../shared/public-band.tsx'
import { AskReference } from './ask-reference.tsx'
import {
  type BookingSession,
  clearPreferences,
  clearSession,
  openSession,
  readSession,
  saveSession,
} from './booking-session.ts'
import { Choose } from './choose.tsx'
import { Closed, isClosed } from './closed.tsx'
import { Done } from './done.tsx'
import { referenceTexts } from './reference-texts.ts'

/** One question a screen: the order number, the time, and then the booking. */
export function BookingPage({ token }: { token: string }) {
  const [bookingSession, setBookingSession] = useState<BookingSession | null>(() => readSession(token))
  const [isFresh, setFresh] = useState(false)
  const [closed, setClosed] = useState<unknown>(null)
  const front = useQuery({
    queryKey: ['link', token],
    queryFn: async () => (await api.GET('/l/{token}', { params: { path: { token } } })).data,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.data === undefined && !isClosed(state.error) ? 60_000 : false),
  })
  const error = closed ?? front.error
  if (error) return <Closed error={error} front={front.data ?? null} retry={() => front.refetch()} />
  if (!front.data) {
    return (
      <Frame brand={NO_BRAND} title="Choose when it comes">
        <Loading />
      </Frame>
    )
  }
  const { brand, help, attempts_left, status } = front.data
  const open = (made: BookingSession) => {
    if (made.booking) clearPreferences(token)
    saveSession(token, made)
    setBookingSession(made)
  }
  if (!bookingSession) {
    const words = referenceTexts(status, help.store)
    return (
      <Frame brand={brand} title={words.title}>
        <AskReference
          token={token}
          help={help}
          words={words}
          attemptsLeft={attempts_left}
          onOpen={open}
          onClosed={setClosed}
        />
      </Frame>
    )
  }
  if (bookingSession.booking) {
    return (
      <Frame brand={brand} order={bookingSession.order.reference} title="It is booked">
        <Done booking={bookingSession.booking} bookingSession={bookingSession} help={help} fresh={isFresh} />
      </Frame>
    )
  }
  const book = (booking: LinkBooking, isFirst: boolean) => {
    setFresh(isFirst)
    open({ ...bookingSession, booking })
  }
  const again = () => {
    clearSession(token)
    setBookingSession(null)
  }
  return (
    <Choose
      token={token}
      bookingSession={bookingSession}
      brand={brand}
      help={help}
      onBooked={book}
      // Booked in another tab meanwhile: a customer who knows the order number sees the booking.
      onUsed={async () => open(await openSession(token, bookingSession.order.reference))}
      onOver={again}
      onClosed={setClosed}
    />
  )
}

export function Frame(props: { brand: PageBrand; order?: string; title: string; children: ReactNode }) {
  const { brand, order, title, children } = props
  useEffect(() => {
    document.title = brand === NO_BRAND ? title : `${title} - ${brand.name}`
  }, [title, brand])
  return (
    <>
      <PublicBand brand={brand} order={order} />
      <main>{children}</main>
    </>
  )
}

/** The contact, on every screen. */
export function Help({ brand, help }: { brand?: PageBrand; help: PageHelp }) {
  if (!help.tel) return null
  return (
    <p className="help">
      Something not right?{' '}
      <a href={`tel:${help.tel}`}>
        Call {brand ? `${brand.name} ` : ''}
        {help.store}
      </a>
    </p>
  )
}
