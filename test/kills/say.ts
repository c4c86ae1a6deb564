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
    ['workers stopped and woken', count('freeze')],
    ['database connections dropped', `${count('disconnect')} times`],
    ['carrier calls cut by a kill', `${cut} (${cuts.join(', ')})`],
    ['requests of unknown outcome', result.unknown],
    ...PROMISE_NAMES.map((promise): [string, number] => [
      `broken: ${promise}`,
      result.breaches.filter((breach) => breach.promise === promise).length,
    ]),
    ['from the last kill to rest', toSeconds(result.restMs)],
    ['work lay after its lease', `${toSeconds(result.lapses.longestMs)} at most`],
    [
      'how they ended',
      Object.entries(result.ends)
        .map(([end, count]) => `${end} ${count}`)
        .join(', '),
    ],
  ]
  const zero = cut > 0 ? `  A zero in ${cut} calls cut means: ${ruleOfThree(cut)} (3/n, at 95 %).` : ''
  return `${figureTable(lines)}\n${zero}`
}
