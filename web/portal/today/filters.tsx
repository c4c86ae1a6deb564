import { Menu } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { STATUSES, type Status } from '../../../src/domain/delivery/status.ts'
import { STATUS_WORDS } from '../../../src/domain/delivery/status-labels.ts'
import type { Delivery } from '../../shared/api.generated.ts'
import { count } from '../../shared/count.ts'
import { Icon } from '../../shared/icon.tsx'

export type Wanted = { carrier?: string; state?: string }
const OWN = 'Own couriers'

export function isWanted(delivery: Delivery, { carrier, state }: Wanted): boolean {
  return (!carrier || carrierOf(delivery) === carrier) && (!state || delivery.status === state)
}

/** One carrier, one status; they are in the address. */
export function Filters({ deliveries, shown }: { deliveries: readonly Delivery[]; shown: number }) {
  const search = useSearch({ from: '/inside/today' })
  const navigate = useNavigate()
  const carriers = [...new Set(deliveries.map(carrierOf))].sort()
  const states = STATUSES.filter((status) => deliveries.some((one) => one.status === status))
  const choose = (name: keyof Wanted, value: string | null) => {
    const { [name]: _, ...rest } = search
    void navigate({ to: '/today', search: value === null ? rest : { ...rest, [name]: value }, replace: true })
  }
  return (
    <div className="f">
      <Choice all="All carriers" value={search.carrier} choose={(value) => choose('carrier', value)}>
        {carriers.map((name) => [name, name])}
      </Choice>
      <Choice all="All statuses" value={search.state} choose={(value) => choose('state', value)}>
        {states.map((status) => [status, STATUS_WORDS[status].clerk])}
      </Choice>
      <span className="dim small">{count(shown, 'delivery', 'deliveries')}</span>
    </div>
  )
}

type ChoiceProps = {
  all: string
  value: string | undefined
  choose(value: string | null): void
  children: [value: string, word: string][]
}

function Choice({ all, value, choose, children }: ChoiceProps) {
  const word = value === undefined ? all : (STATUS_WORDS[value as Status]?.clerk ?? value)
  return (
    <Menu>
      <Menu.Target>
        <button type="button" className="b s">
          {word} <Icon name="down" size={14} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => choose(null)}>{all}</Menu.Item>
        {children.map(([one, message]) => (
          <Menu.Item key={one} onClick={() => choose(one)}>
            {message}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function carrierOf({ use_staff_couriers, carrier_provider }: Delivery): string {
  return use_staff_couriers ? OWN : (carrier_provider ?? 'No carrier yet')
}
