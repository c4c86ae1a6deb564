import { readSetting, saveSetting } from '../shared/local-storage.ts'

const NAME = 'done'

/** How many stops this phone has finished today, for the progress line. */
export function doneToday(): number {
  const { day, count } = read()
  return day === today() ? count : 0
}

export function countDone(by: 1 | -1): void {
  saveSetting(NAME, JSON.stringify({ day: today(), count: Math.max(0, doneToday() + by) }))
}

function today(): string {
  return new Date().toDateString()
}

function read(): { day: string; count: number } {
  try {
    return { day: '', count: 0, ...JSON.parse(readSetting(NAME) ?? '{}') }
  } catch {
    return { day: '', count: 0 }
  }
}
