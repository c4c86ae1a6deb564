import type { Failure, FuzzResult } from './run.ts'

/** A failure, with all that is needed to repeat it. */
export function textFor({ made, mistake }: Failure): string {
  const { index, operation, method, url, headers, body, form } = made
  const { authorization: _, ...shown } = headers
  const text = body === undefined ? '' : ` ${String(body).slice(0, 1_500)}`
  return `case ${index}, ${operation.operationId} (${form}): ${mistake}\n    ${method} ${url.slice(0, 300)} ${JSON.stringify(shown)}${text}`
}

/** One line for each operation, and a summary. */
export function tableOf({ tallies, failures, unavailable }: FuzzResult): string {
  const lines = [...tallies].map(([name, { sent, accepted, rejected, rateLimited }]) =>
    [name.padEnd(32), ...[sent, accepted, rejected, rateLimited].map((count) => `${count}`.padStart(9))].join(
      '',
    ),
  )
  const never = [...tallies].filter(([, { accepted }]) => accepted === 0).map(([name]) => name)
  const head = ['operation'.padEnd(32), '     sent', ' accepted', ' rejected', '      429'].join('')
  return [
    head,
    ...lines,
    '',
    `Never accepted: ${never.join(', ') || 'none'}.`,
    `Retried after a 503: ${unavailable}.`,
    failures.length === 0 ? 'Every response was correct.' : `${failures.length} responses were WRONG:`,
  ].join('\n')
}
