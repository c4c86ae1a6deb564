import { setTimeout as sleep } from 'node:timers/promises'
import type { TcpProxy } from '../harness/tcp-proxy.ts'
import { APIS, type Member, WORKERS } from './members.ts'
import type { Act, ScheduledFault } from './schedule.ts'
import { type SystemUnderTest, WATCH } from './system-under-test.ts'

/** An injected fault: when, and its effect. */
export type InjectedFault = {
  atMs: number
  act: Act
  /** False: there was no process to hit. */
  done: boolean
  /** Of a kill: how many processes died, how many of them with work in flight, and the carrier calls that were cut off. */
  hit?: { killed: number; inFlight: number; calls: number }
  /** Of a crash: the time until a create returned 201 again. */
  recoveredMs?: number | null
}

/** How long a kill waits for a process that has work in flight. */
const AIM_MS = 500
const UP_MS = 10_000
/** A connection that ends this soon after the kill belonged to the killed process. */
const ABANDONED_MS = 250
const RECOVERY_PATIENCE_MS = 60_000
const LOOK_MS = 10

/** When the run ends: after a number of seconds, or of kills and crashes. */
export type Plan = { seconds: number } | { kills: number; crashes: number }

/**
 * The nemesis (Jepsen's term for a fault injector): injects one fault after the other until the plan is fulfilled;
 * lasting faults overlap. Then it heals everything.
 */
export async function runNemesis(
  system: SystemUnderTest,
  schedule: Iterable<ScheduledFault>,
  plan: Plan,
  did: (share: number, fault: InjectedFault) => void,
): Promise<InjectedFault[]> {
  const began = performance.now()
  const faults: InjectedFault[] = []
  const lasting: Promise<unknown>[] = []
  for (const { pauseMs, act } of schedule) {
    await sleep(pauseMs)
    const share = doneOf(plan, faults, (performance.now() - began) / 1_000)
    if (share >= 1) break
    const fault: InjectedFault = { atMs: Math.round(performance.now() - began), act, done: true }
    faults.push(fault)
    await perform(system, fault, (work) => lasting.push(work.catch(() => {})))
    did(share, fault)
  }
  await Promise.all(lasting)
  await healAll(system)
  return faults
}

function doneOf(plan: Plan, faults: readonly InjectedFault[], seconds: number): number {
  if ('seconds' in plan) return seconds / plan.seconds
  // Killing an idle process proves nothing.
  const kills = faults.reduce((sum, { hit }) => sum + (hit?.inFlight ?? 0), 0)
  const crashes = faults.filter(({ act, done }) => act.kind === 'crash' && done).length
  return Math.min(ratio(kills, plan.kills), ratio(crashes, plan.crashes))
}

function ratio(done: number, wanted: number): number {
  return wanted === 0 ? 1 : done / wanted
}

async function perform(
  system: SystemUnderTest,
  fault: InjectedFault,
  last: (work: Promise<unknown>) => void,
): Promise<void> {
  const { act } = fault
  switch (act.kind) {
    case 'kill':
      return kill(system, fault, act)
    case 'freeze':
      fault.done = system.members.freeze(act.member, act.ms)
      return
    case 'crash':
      fault.done = system.crashPostgres(act.crash)
      if (fault.done) last(recovery(system, fault))
      return
    case 'wire': {
      const proxy = system.proxyOf(act.wire)
      proxy.set(act.fault)
      last(sleep(act.ms).then(() => proxy.set({ kind: 'none' })))
      return
    }
    case 'cut':
      system.proxyOf(act.wire).cut(act.how)
      return
    case 'carrier':
      await system.networks[act.network]?.control('POST', '/faults', act.fault)
      return
    case 'clock':
      last(system.clock.forward(act.minutes, true))
      return
    case 'rebalance':
      last(rebalance(system, fault))
      return
    case 'disconnect':
      fault.done = await disconnectAll(system)
      return
    case 'disk':
      fault.done = system.disk !== null
      if (system.disk) last(system.disk.fill(act.ms))
  }
}

/** Kills a running process of the wanted kind; if that one is down, the next of its kind. */
async function kill(
  system: SystemUnderTest,
  fault: InjectedFault,
  { members: wanted }: Extract<Act, { kind: 'kill' }>,
): Promise<void> {
  const kind: readonly Member[] = APIS.some((api) => wanted[0] === api) ? APIS : WORKERS
  const from = wanted.length === 1 ? kind.indexOf(wanted[0] as Member) : 0
  const inTurn = kind.map((_, index) => kind[(from + index) % kind.length] as Member)
  await untilSo(() => inTurn.some(system.members.isUp), UP_MS)
  const victims = inTurn.filter(system.members.isUp).slice(0, wanted.length)
  const { carrierProxies: carriers } = system
  const own = (of: Member) => [
    system.proxyOf({ to: 'database', of }),
    ...(of === 'api-1' || of === 'api-2' ? [system.proxyOf({ to: 'api', of })] : []),
  ]
  const busy = (proxies: readonly TcpProxy[]) => proxies.some((proxy) => proxy.waiting() > 0)
  await untilSo(() => busy(kind === APIS ? victims.flatMap(own) : carriers), AIM_MS)
  const atWork = victims.filter((member) => busy(own(member))).length
  const atMs = performance.now()
  const killed = victims.filter((member) => system.members.kill(member)).length
  await sleep(ABANDONED_MS)
  const calls = carriers.flatMap(({ abandonedAtMs }) => abandonedAtMs.filter((ms) => ms >= atMs)).length
  // A call belongs to one process. It counts if the killed process has no other work in flight.
  fault.hit = { killed, inFlight: Math.min(killed, atWork + Math.min(calls, killed - atWork)), calls }
  fault.done = killed > 0
}

/**
 * False if the machine was too busy to connect: then no connection was dropped, and the fault does not count.
 * Only clients: Citus's maintenance daemon recovers two-phase commits, and is not a connection of Drover.
 */
function disconnectAll({ db }: SystemUnderTest): Promise<boolean> {
  return db
    .query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
       and usename = current_user and backend_type = 'client backend' and application_name <> '${WATCH}'`,
    )
    .then(
      () => true,
      () => false,
    )
}

/** Does not count if it meets a crash or another move: Citus then refuses it. */
async function rebalance(system: SystemUnderTest, fault: InjectedFault): Promise<void> {
  fault.done = false
  await system.rebalance()
  fault.done = true
}

async function recovery(system: SystemUnderTest, fault: InjectedFault): Promise<void> {
  const fromMs = performance.now()
  await untilSo(() => system.client.firstCreatedAfter(fromMs) !== null, RECOVERY_PATIENCE_MS)
  const firstMs = system.client.firstCreatedAfter(fromMs)
  fault.recoveredMs = firstMs === null ? null : Math.round(firstMs - fromMs)
}

async function healAll(system: SystemUnderTest): Promise<void> {
  for (const party of [...system.receivers, system.gateway]) party.calm()
  system.client.limitRetries()
  for (const proxy of system.carrierProxies) proxy.set({ kind: 'none' })
  for (const network of Object.values(system.networks)) await network.control('DELETE', '/faults')
}

async function untilSo(so: () => boolean, patienceMs: number): Promise<void> {
  const endMs = performance.now() + patienceMs
  while (!so() && performance.now() < endMs) await sleep(LOOK_MS)
}
