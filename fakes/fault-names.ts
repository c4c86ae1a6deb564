import { formatIssues } from '../src/domain/account/validation/shape-mistakes.ts'
import { FAULT, type NewFault } from './faults.ts'

const WORDS =
  /^(?<operation>\*|\w+)=(?<kind>[a-z_]+)(?::(?<number>\d+))?(?:\*(?<times>\d+|\*))?(?:\/(?<every>\d+))?$/

/** Kinds whose number is a status; for the others it is milliseconds. */
const TAKES_STATUS: ReadonlySet<string> = new Set(['status', 'failed_answer'])

/**
 * Faults on one line: `create_shipments=lost, *=slow:200/20, track=status:503*3`. `*3` is three times, `**`
 * for ever, `/20` every twentieth request. Throws an Error that names the invalid part.
 */
export function parseFaults(text: string): NewFault[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(parseFault)
}

function parseFault(part: string): NewFault {
  const words = WORDS.exec(part)?.groups
  if (!words) throw new Error(`"${part}" is not a fault: write operation=kind, as in track=status:503*3.`)
  const { operation, kind, number, times, every } = words
  const asked = {
    operation,
    kind,
    ...(number === undefined
      ? {}
      : TAKES_STATUS.has(kind ?? '')
        ? { status: Number(number) }
        : { ms: Number(number) }),
    ...(times === undefined ? {} : { times: times === '*' ? null : Number(times) }),
    ...(every === undefined ? {} : { every: Number(every) }),
  }
  const fault = FAULT.safeParse(asked)
  if (fault.success) return fault.data
  throw new Error(`"${part}" is not a fault. ${formatIssues(FAULT, asked, fault.error.issues)}`)
}
