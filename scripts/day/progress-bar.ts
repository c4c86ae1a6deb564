type Moment = { nowMs: number; created: number; ended: number }

const WIDTH = 30
/** Without a terminal, at most one line this often. */
const LINE_EVERY_MS = 5_000

/** Shows progress: a moving bar on a terminal, an occasional line elsewhere. */
export function showProgress(total: number, out: NodeJS.WriteStream = process.stderr) {
  let lineAtMs = Number.NEGATIVE_INFINITY
  return {
    show(moment: Moment): void {
      if (out.isTTY) {
        out.write(`\r\u001b[2K${barOf(moment, total)} ${textFor(moment, total)}`)
        return
      }
      if (performance.now() - lineAtMs < LINE_EVERY_MS) return
      lineAtMs = performance.now()
      out.write(`${textFor(moment, total)}\n`)
    },
    end(): void {
      if (out.isTTY) out.write('\r\u001b[2K')
    },
  }
}

function barOf({ ended }: Moment, total: number): string {
  const full = Math.round((Math.min(ended, total) / total) * WIDTH)
  return `[${'█'.repeat(full)}${'·'.repeat(WIDTH - full)}]`
}

function textFor({ nowMs, created, ended }: Moment, total: number): string {
  const now = new Date(nowMs).toLocaleString('en-AU', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hour12: false,
    timeZone: 'Australia/Melbourne',
  })
  return `${now}  created ${created}/${total}, at their end ${ended}`
}
