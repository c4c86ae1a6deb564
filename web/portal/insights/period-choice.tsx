import { Select } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { InsightsSearch } from '../routes.tsx'
import { DATES, findDatesProblem, LENGTHS, monthBefore, monthsUpTo, type Period } from './period.ts'

/** This month and last month with one click; other months, recent days and chosen dates in a list. */
export function PeriodChoice({ period, today }: { period: Period; today: string }) {
  const navigate = useNavigate()
  const show = (search: InsightsSearch) => navigate({ to: '/insights', search, replace: true })
  const current = today.slice(0, 7)
  const choose = (value: string) => {
    if (value === DATES) show({ from: period.from, to: period.to })
    else show(value.includes('-') ? { month: value } : { days: value })
  }
  return (
    <>
      {(
        [
          ['This month', current],
          ['Last month', monthBefore(current)],
        ] as const
      ).map(([words, month]) => (
        <button
          key={words}
          type="button"
          className={`b s${period.choice === month ? ' on' : ''}`}
          aria-pressed={period.choice === month}
          onClick={() => show({ month })}
        >
          {words}
        </button>
      ))}
      <Select
        aria-label="Period"
        value={period.choice}
        allowDeselect={false}
        onChange={(value) => value && choose(value)}
        data={[
          { group: 'Custom', items: [{ value: DATES, label: 'Choose dates' }] },
          {
            group: 'Up to today',
            items: LENGTHS.map(([value, words]) => ({ value, label: `Last ${words}` })),
          },
          { group: 'Months', items: monthsUpTo(today) },
        ]}
      />
      {period.choice === DATES && <Dates period={period} today={today} onChange={show} />}
    </>
  )
}

type DatesProps = { period: Period; today: string; onChange(search: InsightsSearch): void }

function Dates({ period: { from, to }, today, onChange }: DatesProps) {
  const problem = findDatesProblem({ from, to })
  return (
    <>
      <label className="period-date">
        First day{' '}
        <input
          type="date"
          className="date-input"
          max={today}
          value={from}
          aria-describedby={problem ? 'period-problem' : undefined}
          onChange={({ currentTarget: { value } }) => value && onChange({ from: value, to })}
        />
      </label>
      <label className="period-date">
        Last day{' '}
        <input
          type="date"
          className="date-input"
          max={today}
          value={to}
          aria-describedby={problem ? 'period-problem' : undefined}
          onChange={({ currentTarget: { value } }) => value && onChange({ from, to: value })}
        />
      </label>
      {problem && (
        <p id="period-problem" role="alert" className="period-problem">
          {problem}
        </p>
      )}
    </>
  )
}
