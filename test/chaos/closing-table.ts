import { figureTable, ruleOfThree, toSeconds } from '../harness/report.ts'
import type { Waits } from '../harness/watch.ts'
import { PROMISE_NAMES } from './promises.ts'
import type { ChaosResult } from './run.ts'

/** Recovery goals: a figure over its goal is marked. */
const GOALS = { lapseMs: 5_000, unknownMs: 60_000, crashMs: 5_000 }

/** The figures of a run that are worth keeping. */
export function figuresOf({ faults, breaches, evidence, ...run }: ChaosResult) {
  const count = (kind: string) => faults.filter(({ act, done }) => act.kind === kind && done).length
  const kills = faults.flatMap(({ act, done, hit }) => (act.kind === 'kill' && done && hit ? [hit] : []))
  const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0)
  const recovered = faults.flatMap(({ recoveredMs }) => recoveredMs ?? []).sort((a, b) => a - b)
  const of = (promise: string) => breaches.filter((breach) => breach.promise === promise).length
  const creates = evidence.history.filter(({ operation }) => operation === 'create')
  return {
    seed: run.options.seed,
    seededBugs: run.options.seededBugs,
    seconds: Math.round(run.seconds),
    acknowledged: creates.filter(({ outcome }) => outcome === 'ok').length,
    bookedAtCarriers: evidence.ledgerEntries.filter(({ what }) => what === 'booked').length,
    unlisted: evidence.unlisted.length,
    unknownAtFirst: evidence.history.filter(({ tries }) => tries > 1).length,
    takenOut: new Set(
      evidence.history.flatMap(({ operation, reference }) => (operation === 'book' ? [reference] : [])),
    ).size,
    settled: evidence.history.filter(({ operation, outcome }) => operation === 'settle' && outcome === 'ok')
      .length,
    neverKnown: evidence.history.filter(({ outcome }) => outcome === 'unknown').length,
    kills: sum(kills.map(({ killed }) => killed)),
    killsInFlight: sum(kills.map(({ inFlight }) => inFlight)),
    callsCut: sum(kills.map(({ calls }) => calls)),
    crashes: count('crash'),
    freezes: count('freeze'),
    disconnects: count('disconnect'),
    wires: count('wire') + count('cut'),
    carriers: count('carrier'),
    clocks: count('clock'),
    rebalances: count('rebalance'),
    disks: count('disk'),
    diskSkipped: faults.some(({ act, done }) => act.kind === 'disk' && !done),
    lost: of('acknowledged and kept'),
    doubled: breaches.filter(({ text }) => /was booked while|left with two/.test(text)).length,
    orphans: breaches.filter(({ text }) => text.includes(' is active for ')).length,
    breaches: Object.fromEntries(PROMISE_NAMES.map((name) => [name, of(name)])),
    restMs: Math.round(run.restMs),
    lapses: run.lapses,
    unknowns: run.unknowns,
    crashRecoveryMs: {
      median: recovered[Math.floor(recovered.length / 2)] ?? null,
      longest: recovered.at(-1) ?? null,
    },
  }
}

export type Figures = ReturnType<typeof figuresOf>

/** The closing table, and what its zeros prove. */
export function closingTable(figures: Figures): string {
  const other = Object.entries(figures.breaches).filter(([, count]) => count > 0)
  const lines: [string, string | number][] = [
    ['seed', figures.seed],
    ['seeded bugs', figures.seededBugs.join(', ') || 'none'],
    ['creates acknowledged', `${figures.acknowledged}; bookings at carriers: ${figures.bookedAtCarriers}`],
    ['look-ups answered with an empty list', figures.unlisted],
    ['outcomes unknown at first', `${figures.unknownAtFirst}; at the end: ${figures.neverKnown}`],
    ['processes killed', `${figures.kills}, ${figures.killsInFlight} of them with work in flight`],
    ['carrier calls cut by a kill', figures.callsCut],
    ['PostgreSQL crashes', figures.crashes],
    ...(figures.rebalances > 0 ? [['shards moved', figures.rebalances] as [string, number]] : []),
    ['processes stopped past the lease', figures.freezes],
    ['database dropped all connections', figures.disconnects],
    ['connections corrupted or cut', figures.wires],
    ['carriers slow, garbled, failing', figures.carriers],
    ['clock moved forward', figures.clocks],
    ['disk full', figures.diskSkipped ? 'skipped: it needs root and the embedded PostgreSQL' : figures.disks],
    ['acknowledged and lost', figures.lost],
    ['double booked', figures.doubled],
    ['orphaned bookings at a carrier', figures.orphans],
    [
      'dead-lettered after eight crashes',
      `${figures.takenOut}, booked by hand later; manifests settled by hand: ${figures.settled}`,
    ],
    ['promises broken', other.map(([name, count]) => `${name} ${count}`).join(', ') || 'none'],
    ['from the last fault until idle', toSeconds(figures.restMs)],
    ['due work waited after its lease', waited(figures.lapses, GOALS.lapseMs)],
    ['unknown after the settle time', waited(figures.unknowns, GOALS.unknownMs)],
    [
      'first 201 after a crash',
      `median ${toSeconds(figures.crashRecoveryMs.median)}, ${longest(figures.crashRecoveryMs.longest, GOALS.crashMs)}`,
    ],
  ]
  return `${figureTable(lines)}\n${whatAZeroMeans(figures)}`
}

function waited({ medianMs, p99Ms, longestMs, suspects }: Waits, goalMs: number): string {
  const usual = `median ${toSeconds(medianMs)}, 99th percentile ${toSeconds(p99Ms)}, ${longest(longestMs, goalMs)}`
  if (suspects.count === 0) return usual
  return `${usual}; work that killed five workers or more: ${suspects.count}, at most ${toSeconds(suspects.longestMs)}`
}

function longest(ms: number | null, goalMs: number): string {
  return `at most ${toSeconds(ms)}${(ms ?? 0) <= goalMs ? '' : ` (over ${toSeconds(goalMs)})`}`
}

/** By the rule of three. */
function whatAZeroMeans({ killsInFlight, crashes }: Figures): string {
  return `  A zero means (3/n, at 95 %): ${ruleOfThree(killsInFlight)} kills in flight lose or duplicate a delivery (n ${killsInFlight}), ${ruleOfThree(crashes)} crashes do (n ${crashes}).`
}
