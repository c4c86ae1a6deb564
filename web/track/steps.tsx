import type { Tracking } from '../shared/api.generated.ts'
import { formatKm } from '../shared/format-km.ts'
import { clockOf } from '../shared/page-times.ts'

type Name = Tracking['steps'][number]['name']

const TEXTS: Readonly<Record<'door' | 'store', Record<Name, string>>> = {
  door: { ready: 'Ready', collected: 'Collected', on_the_road: 'On the road', arrived: 'At your door' },
  store: { ready: 'Ready', collected: 'Collected', on_the_road: 'On the road', arrived: 'At the store' },
}

/** The delivery's progress. */
export function Steps({ tracking }: { tracking: Tracking }) {
  const { steps, courier, delivery_mode } = tracking
  if (steps.length === 0) return null
  const words = TEXTS[delivery_mode === 'customer_pickup' ? 'store' : 'door']
  const away = courier?.distance_km === undefined ? null : `${formatKm(courier.distance_km)} away`
  return (
    <ol className="flow">
      {steps.map(({ name, state, at }) => (
        <li key={name} className={state} aria-current={state === 'now' ? 'step' : undefined}>
          {words[name]}
          <small>{state === 'now' && name === 'on_the_road' ? away : at && clockOf(at)}</small>
        </li>
      ))}
    </ol>
  )
}
