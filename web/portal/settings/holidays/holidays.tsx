import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { findState } from '../../../../src/domain/geo/states.ts'
import { importWithRetry } from '../../../shared/lazy-import.ts'
import { ProblemView } from '../../../shared/problem-view.tsx'
import { usePortal } from '../../portal.ts'
import { type Place, valueAt } from '../edits.ts'
import { useSettings } from '../settings.ts'
import type { StoreJson } from '../stores-page.tsx'
import { isOpenOn, nextHolidays, withHoliday } from './open-holidays.ts'

/** The public holidays on which the store opens: all, none, or those that are ticked. */
export function Holidays({ store, place }: { store: StoreJson; place: Place }) {
  const { set, inUse } = useSettings()
  const { open_on_holidays: open = false } = store
  const listed = Array.isArray(open) ? (open as readonly string[]) : null
  const choose = (kind: string | null) => {
    if (kind === 'open') set(place, true)
    if (kind === 'closed') set(place, undefined)
    if (kind === 'some' && !listed) {
      const before = valueAt(inUse, place)
      set(place, Array.isArray(before) ? before : [])
    }
  }
  return (
    <>
      <Select
        label="Public holidays"
        allowDeselect={false}
        data={[
          { value: 'closed', label: 'Closed on all public holidays in the store’s state' },
          { value: 'open', label: 'Open on all public holidays' },
          { value: 'some', label: 'Open on some public holidays' },
        ]}
        value={listed ? 'some' : open === true ? 'open' : 'closed'}
        onChange={choose}
      />
      {listed && <OpenDays store={store} open={listed} change={(next) => set(place, next)} />}
    </>
  )
}

type OpenDaysProps = { store: StoreJson; open: readonly string[]; change(open: readonly string[]): void }

function OpenDays({ store, open, change }: OpenDaysProps) {
  const { nowMs } = usePortal()
  const { holiday_region: region } = store
  const state = findState(store.address.state)
  const { data, error, refetch } = useQuery({
    queryKey: ['list-holidays'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const { listHolidays } = await importWithRetry(
        () => import('../../../../src/domain/calendar/holidays.ts'),
      )
      return { listHolidays }
    },
  })
  // The list of a day stays while the form is open.
  const [today] = useState(() => new Date(nowMs()).toISOString().slice(0, 10))
  if (error && !data) return <ProblemView error={error} retry={refetch} />
  const offered =
    data && state
      ? nextHolidays(data.listHolidays(state, typeof region === 'string' ? region : null), today)
      : []
  const past = open.filter((one) => !offered.some(({ name, date }) => one === name || one === date))
  return (
    <fieldset className="open-days">
      <legend>Open on</legend>
      {offered.map((holiday) => (
        <label key={holiday.name} className="week-name">
          <input
            type="checkbox"
            checked={isOpenOn(open, holiday)}
            onChange={({ currentTarget }) => change(withHoliday(open, holiday, currentTarget.checked))}
          />{' '}
          {holiday.name} <span className="dim">(next: {formatDate(holiday.date)})</span>
        </label>
      ))}
      {offered.length > 0 &&
        past.map((one) => (
          <label key={one} className="week-name">
            <input type="checkbox" checked onChange={() => change(open.filter((other) => other !== one))} />{' '}
            {/^\d{4}-\d\d-\d\d$/.test(one) ? formatDate(one) : one}
          </label>
        ))}
    </fieldset>
  )
}

const DATE = new Intl.DateTimeFormat('en-AU', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** `2026-12-28` → `Mon 28 Dec 2026`. */
function formatDate(day: string): string {
  return DATE.format(Date.parse(day)).replace(',', '')
}
