import { Command } from 'commander'
import type { CliDeps, Finding } from '../deps.ts'
import { Refused } from '../failure.ts'

const EXAMPLES = `
Reads the same environment as drover start, and changes nothing. Exit code 1 when something is wrong.

Examples:
  drover doctor
  DATABASE_URL=postgres://… drover doctor --json`

const MARKS = { good: '✓', note: '·', wrong: '✗' }

export function doctorCommand({ examine }: CliDeps): Command {
  return new Command('doctor')
    .description('Find what is wrong with this set-up, and how to correct it.')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(async ({ json }: { json?: true }) => {
      const findings = await examine()
      const wrongs = findings.filter(({ found }) => found === 'wrong').length
      if (json) console.log(JSON.stringify({ wrong: wrongs, findings }))
      else console.log(`${findings.map(lineOf).join('\n')}\n\n${closing(wrongs)}`)
      if (wrongs > 0) throw new Refused()
    })
}

function lineOf({ check, found, message, remedy }: Finding): string {
  const line = `${MARKS[found]} ${check.padEnd(16)} ${message}`
  return remedy ? `${line}\n  ${''.padEnd(16)} → ${remedy}` : line
}

function closing(wrongs: number): string {
  if (wrongs === 0) return 'No problems found.'
  return wrongs === 1 ? '1 problem found.' : `${wrongs} problems found.`
}
