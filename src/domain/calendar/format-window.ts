import { toCivilDate } from './zone.ts'

/** A moment as a local wall clock shows it: days since 1970-01-01 and minutes of that day. */
export type Wall = { day: number; minute: number }
export type WallWindow = { from: Wall; to: Wall }

/** The local time in an ISO time with an offset: `2026-11-24T13:00:00+11:00` is 1 pm. */
export function wallOfIso(text: string): Wall {
  const day = Date.parse(`${text.slice(0, 10)}T00:00:00Z`) / 86_400_000
  return { day, minute: Number(text.slice(11, 13)) * 60 + Number(text.slice(14, 16)) }
}

/** `2 – 8 pm`, `11:30 am – 12:30 pm`, `11 am – noon`: am or pm only once when both ends share it. */
export function formatHours({ from, to }: WallWindow): string {
  const sameHalf = from.day === to.day && from.minute < NOON === to.minute < NOON
  const end = formatClock(to)
  return `${sameHalf && end !== 'noon' ? digits(from) : formatClock(from)} – ${end}`
}

/** `10:42 am`, `2 pm`, `noon`. */
export function formatClock({ minute }: Wall): string {
  if (minute === NOON) return 'noon'
  return `${digits({ minute })} ${minute < NOON ? 'am' : 'pm'}`
}

/** `today`, `tomorrow`, otherwise `Wednesday 25 November`; another year is added. */
export function formatDay(day: number, today: number): string {
  if (day === today) return 'today'
  if (day === today + 1) return 'tomorrow'
  const { year, month, date } = toCivilDate(day)
  const text = `${WEEKDAYS[(((day + 3) % 7) + 7) % 7]} ${date} ${MONTHS[month - 1]}`
  return year === toCivilDate(today).year ? text : `${text} ${year}`
}

const NOON = 720

function digits({ minute }: Pick<Wall, 'minute'>): string {
  const hour = Math.floor(minute / 60) % 12 || 12
  const minutes = minute % 60
  return minutes === 0 ? String(hour) : `${hour}:${String(minutes).padStart(2, '0')}`
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** Indexed by month number minus one. */
export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
