import { figureTable, ruleOfThree, toSeconds } from '../harness/report.ts'
import { PROMISE_NAMES } from './promises.ts'
import type { KillOptions, KillResult } from './run.ts'

/** The closing table of a run, and what its zeros prove. */
export function closingTable({ seed, jobs, seededBugs }: KillOptions, result: KillResult): string {
  const kills = result.acts
    .filter(({ act }) => act === 'kill')
    .reduce((sum, { members }) => sum + members.length, 0)
  const count = (kind: string) => result.acts.filter(({ act }) => act === kind).length
  const cut = Object.values(result.cut).reduce((sum, count) => sum + count, 0)
  const cuts = Object.entries(result.cut).map(([kind, count]) => `${kind} ${count}`)
  const lines: [string, string | number][] = [
    ['seed', seed],
    ['seeded bugs', seededBugs.join(', ') || 'none'],
    ['jobs acknowledged', `${result.acknowledged} of ${jobs}`],
    ['processes killed', kills],
    ['workers stopped and resumed', count('freeze')],
    ['database connections dropped', `${count('disconnect')} times`],
    ['carrier calls cut by a kill', `${cut} (${cuts.join(', ')})`],
    ['requests with unknown outcome', result.unknown],
    ...PROMISE_NAMES.map((promise): [string, number] => [
      `broken: ${promise}`,
      result.breaches.filter((breach) => breach.promise === promise).length,
    ]),
    ['from the last kill until idle', toSeconds(result.restMs)],
    ['due work waited after its lease', `at most ${toSeconds(result.lapses.longestMs)}`],
    [
      'final statuses',
      Object.entries(result.ends)
        .map(([end, count]) => `${end} ${count}`)
        .join(', '),
    ],
  ]
  const zero =
    cut > 0
      ? `  A zero means that ${ruleOfThree(cut)} cut calls break that promise (3/n, at 95 %; n ${cut}).`
      : ''
  return `${figureTable(lines)}\n${zero}`
}
