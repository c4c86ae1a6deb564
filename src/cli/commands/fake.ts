import { once } from 'node:events'
import { Command } from 'commander'
import type { RunningFake, StartFake } from '../../../fakes/fake.ts'
import { parseFaults } from '../../../fakes/fault-names.ts'

const EXAMPLES = `
Examples:
  drover fake auspost --port 4010
  drover fake uber-direct --port 4011
  drover fake auspost --port 4010 --faults 'create_shipments=lost,*=slow:200/20'
  curl -X POST localhost:4010/_fake/advance -d '{"hours":30}'      advances its clock
  curl localhost:4010/_fake/ledger?what=order_created              lists what it did

A fault is operation=kind, with * for any operation; then *N for how often (default once; ** for ever) and /N for each Nth.
Kinds: status:503, lost (done, no answer), cut (not done, no answer), slow:ms, slow_answer:ms, garbled,
failed_answer:400 (done, and answered with the text of a time-out or an internal failure),
empty (an empty list, once).`

/** The carriers that have a fake; each is loaded when it is used. */
export const FAKES: Readonly<Record<string, () => Promise<StartFake>>> = {
  auspost: async () => (await import('../../../fakes/auspost/start-auspost.ts')).startAuspost,
  'uber-direct': async () =>
    (await import('../../../fakes/uber-direct/start-uber-direct.ts')).startUberDirect,
  doordash: async () => (await import('../../../fakes/doordash/start-doordash.ts')).startDoorDash,
  'aramex-au': async () => (await import('../../../fakes/aramex-au/start-aramex-au.ts')).startAramexAu,
}

type Options = { port: string; faults?: string; at?: string; from?: string }

export function fakeCommand(): Command {
  const names = Object.keys(FAKES)
  return new Command('fake')
    .argument('<carrier>', names.join(', '))
    .description("Run a fake of a carrier's API on this machine, as its documentation describes it.")
    .option('--port <number>', 'where to listen on this machine; 0 is any free port', '0')
    .option('--faults <list>', 'the faults to inject, separated by commas')
    .option('--at <instant>', 'the clock stops at this ISO 8601 instant until it is advanced')
    .option('--from <instant>', 'the clock runs from this ISO 8601 instant')
    .addHelpText('after', EXAMPLES)
    .action(async (name: string, { port, faults, at, from }: Options) => {
      if (at !== undefined && from !== undefined)
        throw new Error('Use --at or --from, not both: the clock either stands still or runs.')
      const load = FAKES[name]
      if (!load) throw new Error(`There is no fake "${name}"; there are ${names.join(', ')}.`)
      const start = await load()
      const fake = await start({
        port: portOf(port),
        faults: faults === undefined ? [] : parseFaults(faults),
        ...(at === undefined ? {} : { nowMs: toInstantMs('--at', at) }),
        ...(from === undefined ? {} : { fromMs: toInstantMs('--from', from) }),
      })
      console.log(`${name} listens on ${fake.url} (controls under ${fake.url}/_fake/). Ctrl-C ends it.`)
      console.log(formatSignIn(fake))
      await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
      await fake.close()
    })
}

/** The credentials that it accepts, in one line to copy. */
export function formatSignIn({ signIn }: Pick<RunningFake, 'signIn'>): string {
  const lines = Object.entries(signIn).map(([name, value]) => `${name} ${value}`)
  return `Sign in with ${lines.join(', ')}.`
}

function portOf(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new Error(`--port must be a number from 0 to 65535, not "${text}".`)
}

function toInstantMs(option: string, text: string): number {
  const ms = Date.parse(text)
  if (/(Z|[+-]\d\d:\d\d)$/.test(text) && Number.isFinite(ms)) return ms
  throw new Error(
    `${option} must be a time with its offset, such as 2026-03-02T09:00:00+11:00, not "${text}".`,
  )
}
