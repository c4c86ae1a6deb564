/** A public holiday as the form offers it: its next date. */
export type OfferedHoliday = { name: string; date: string }

/** The next date of each holiday, in their order. `today`: `2026-11-24`. */
export function nextHolidays(
  holidays: readonly { name: string; date: string }[],
  today: string,
): OfferedHoliday[] {
  const found = new Map<string, string>()
  for (const { name, date } of holidays.toSorted((a, b) => a.date.localeCompare(b.date))) {
    if (date >= today && !found.has(name)) found.set(name, date)
  }
  return [...found].map(([name, date]) => ({ name, date }))
}

/** A list names holidays by their name, for every year, or by one date. */
export function isOpenOn(open: readonly string[], { name, date }: OfferedHoliday): boolean {
  return open.includes(name) || open.includes(date)
}

export function withHoliday(open: readonly string[], holiday: OfferedHoliday, isOpen: boolean): string[] {
  const others = open.filter((one) => one !== holiday.name && one !== holiday.date)
  return isOpen ? [...others, holiday.name] : others
}
