import { table } from '../../src/cli/table.ts'
import type { Failure, FuzzResult } from './run.ts'

/** A failure, with all that is needed to repeat it. */
export function textFor({ made, mistake }: Failure): string {
  const { index, operation, method, url, headers, body, form } = made
  const { authorization: _, ...shown } = headers
  const text = body === undefined ? '' : ` ${String(body).slice(0, 1_500)}`
  return `case ${index}, ${operation.operationId} (${form}): ${mistake}\n    ${method} ${url.slice(0, 300)} ${JSON.stringify(shown)}${text}`
}

/** One line for each operation, and a summary. */
export function tableOf({ tallies, unavailable }: FuzzResult): string {
  const rows = [...tallies].map(([name, { sent, accepted, rejected, rateLimited }]) => [
    name,
    ...[sent, accepted, rejected, rateLimited].map(String),
  ])
  const never = [...tallies].filter(([, { accepted }]) => accepted === 0).map(([name]) => name)
  return [
    table(['operation', 'sent', 'accepted', 'rejected', '429'], rows),
    '',
    `Never accepted: ${never.join(', ') || 'none'}.`,
    `Retried after a 503: ${unavailable}.`,
  ].join('\n')
}
