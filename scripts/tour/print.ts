const colours = process.stdout.isTTY
const bold = (text: string): string => (colours ? `\u001b[1m${text}\u001b[0m` : text)
const faint = (text: string): string => (colours ? `\u001b[2m${text}\u001b[0m` : text)

let steps = 0

/** A chapter of the tour. */
export function chapter(title: string): void {
  process.stdout.write(`\n${bold(`── ${title} ──`)}\n`)
}

/** A numbered step, and the request it makes. */
export function step(title: string, request = ''): void {
  steps += 1
  process.stdout.write(`\n${bold(`${steps}. ${title}`)}\n${request ? `${faint(`   ${request}`)}\n` : ''}`)
}

export function say(line: string): void {
  process.stdout.write(`   ${line}\n`)
}

/** `2026-11-24T14:00:00+11:00` and the end of it → `Tue 24 Nov 14:00–20:00`. */
export function windowWords(from: string | undefined, to: string | undefined): string {
  if (from === undefined || to === undefined) return 'no window yet'
  const day = new Date(`${from.slice(0, 10)}T00:00:00Z`)
  const name = day.toLocaleDateString('en-AU', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  })
  return `${name} ${from.slice(11, 16)}–${to.slice(11, 16)}`
}
