const WIDTH = 30

export type Progress = {
  /** `share`: from 0 to 1; `text`: the current activity. */
  show(share: number, text: string): void
  end(): void
}

/** Shows progress: a moving bar on a terminal, elsewhere a line for each tenth. */
export function showProgress(title: string, out: NodeJS.WriteStream = process.stderr): Progress {
  let tenth = -1
  return {
    show(share, text) {
      const part = Math.min(1, share)
      const full = Math.round(part * WIDTH)
      const bar = `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)}`
      if (out.isTTY) {
        out.write(`\r\u001b[2K${title}  ${bar} ${Math.round(part * 100)} %  ${text}`)
        return
      }
      const reached = Math.floor(part * 10)
      if (reached <= tenth) return
      tenth = reached
      out.write(`${title}: ${tenth * 10} %, ${text}\n`)
    },
    end() {
      if (out.isTTY) out.write('\r\u001b[2K')
    },
  }
}

/** The same for a number of equal pieces of work. */
export function countProgress(total: number, what: string): (done: number) => void {
  const progress = showProgress(what)
  const beganMs = performance.now()
  return (done) => {
    progress.show(done / total, `${done} of ${total}, ${Math.round((performance.now() - beganMs) / 1_000)} s`)
    if (done >= total) progress.end()
  }
}
