import { useEffect, useRef, useState } from 'react'
import { useSettings } from '../settings.ts'
import { useCarriers } from './carrier-queries.ts'

type Moved = { provider: string; up: boolean }

/** The owner's own order of carriers. Those that are not in it follow, the cheapest first. */
export function BookingOrder({ order }: { order: readonly string[] }) {
  const { set } = useSettings()
  const carriers = useCarriers()
  const list = useRef<HTMLOListElement>(null)
  const [moved, setMoved] = useState<Moved | null>(null)
  const nameOf = (provider: string) => carriers.find((one) => one.provider === provider)?.name ?? provider
  const others = carriers.filter(({ provider }) => !order.includes(provider))
  // The browser drops the focus of a button whose row moves.
  useEffect(() => {
    if (!moved) return
    const row = list.current?.children[order.indexOf(moved.provider)]
    row?.querySelectorAll('button')[moved.up ? 0 : 1]?.focus()
  }, [moved, order])
  const setOrder = (preferred: readonly string[], change: Moved) => {
    set(['booking', 'order'], { preferred })
    setMoved(change)
  }
  const move = (provider: string, up: boolean) => {
    const index = order.indexOf(provider)
    setOrder(order.toSpliced(index, 1).toSpliced(index + (up ? -1 : 1), 0, provider), { provider, up })
  }
  return (
    <>
      <ol ref={list} className="booking-order" aria-label="Order of carriers">
        {order.map((provider, index) => (
          <li key={provider} className="booking-place">
            <span>
              {index + 1}. {nameOf(provider)}
            </span>
            <span className="row-of-buttons tight">
              <button
                type="button"
                className="b s"
                aria-label={`Move ${nameOf(provider)} up`}
                onClick={() => index > 0 && move(provider, true)}
              >
                Up
              </button>
              <button
                type="button"
                className="b s"
                aria-label={`Move ${nameOf(provider)} down`}
                onClick={() => index < order.length - 1 && move(provider, false)}
              >
                Down
              </button>
            </span>
          </li>
        ))}
      </ol>
      <p className="vh" role="status">
        {moved &&
          `${nameOf(moved.provider)} is now number ${order.indexOf(moved.provider) + 1} of ${order.length}.`}
      </p>
      {others.length > 0 && (
        <>
          <p className="dim">
            {others.length === 1
              ? `After the carriers on your list, we try ${others[0]?.name}.`
              : 'After the carriers on your list, we try the other carriers, cheapest first.'}
          </p>
          <div className="row-of-buttons">
            {others.map(({ provider, name }) => (
              <button
                key={provider}
                type="button"
                className="b s"
                onClick={() => setOrder([...order, provider], { provider, up: true })}
              >
                Add {name} to the list
              </button>
            ))}
          </div>
        </>
      )}
    </>
  )
}
