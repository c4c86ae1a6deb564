import { setTimeout as sleep } from 'node:timers/promises'
import { APIS, type Member, WORKERS } from './members.ts'
import { NETWORKS } from './networks.ts'
import type { Act, Beat } from './schedule.ts'
import type { House } from './system-under-test.ts'
import type { TcpProxy } from './tcp-proxy.ts'

/** An injected fault: when, and its effect. */
export type InjectedFault = {
  atMs: number
  act: Act
  /** False: there was no process to hit. */
  done: boolean
  /** Of a kill: how many processes died, how many of them at work, and the carrier calls that were cut off. */
  hit?: { killed: number; inFlight: number; calls: number }
  /** Of a crash: the time until a create returned 201 again. */
  recoveredMs?: number | null
}

/** How long a kill waits for a process that runs and is at work. */
const AIM_MS = 500
const UP_MS = 10_000
/** A connection that ends this soon after the kill was the killed process's. */
const ABANDONED_MS = 250
const RECOVERY_PATIENCE_MS = 60_000
const LOOK_MS = 10

/** When the run ends: after so many seconds, or so many kills and crashes. */
export type Plan = { seconds: number } | { kills: number; crashes: number }

/**
 * The nemesis, a fault injector in Jepsen's word: injects one fault after the other until the plan is fulfilled;
 * lasting faults overlap. Then it heals everything.
 */
export async function runNemesis(
  house: House,
  beats: Iterable<Beat>,
  plan: Plan,
  did: (share: number, fault: InjectedFault) => void,
): Promise<InjectedFault[]> {
  const began = performance.now()
  const faults: InjectedFault[] = []
  const lasting: Promise<unknown>[] = []
  for (const { pauseMs, act } of beats) {
    await sleep(pauseMs)
    const share = doneOf(plan, faults, (performance.now() - began) / 1_000)
    if (share >= 1) break
    const fault: InjectedFault = { atMs: Math.round(performance.now() - began), act, done: true }
    faults.push(fault)
    await perform(house, fault, (work) => lasting.push(work.catch(() => {})))
    did(share, fault)
  }
  await Promise.all(lasting)
  await peace(house)
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
  house: House,
  fault: InjectedFault,
  last: (work: Promise<unknown>) => void,
): Promise<void> {
  const { act } = fault
  switch (act.kind) {
    case 'kill':
      return kill(house, fault, act)
    case 'freeze':
      fault.done = house.members.freeze(act.member, act.ms)
      return
    case 'crash':
      fault.done = house.postgres.crash(act.crash)
      if (fault.done) last(recovery(house, fault))
      return
    case 'wire': {
      const proxy = house.proxyOf(act.wire)
      proxy.set(act.fault)
      last(sleep(act.ms).then(() => proxy.set({ kind: 'none' })))
      return
    }
    case 'cut':
      house.proxyOf(act.wire).cut(act.how)
      return
    case 'carrier':
      await house.networks.find(({ name }) => name === act.network)?.control('POST', '/faults', act.fault)
      return
    case 'clock':
      last(house.clock.forward(act.minutes, true))
      return
    case 'disk':
      fault.done = house.disk !== null
      if (house.disk) last(house.disk.fill(act.ms))
  }
}

/** Kills a running process of the wanted kind; if that one is down, the next of its kind. */
async function kill(
  house: House,
  fault: InjectedFault,
  { members: wanted }: Extract<Act, { kind: 'kill' }>,
): Promise<void> {
  const kind: readonly Member[] = APIS.some((api) => wanted[0] === api) ? APIS : WORKERS
  const from = wanted.length === 1 ? kind.indexOf(wanted[0] as Member) : 0
  const inTurn = kind.map((_, index) => kind[(from + index) % kind.length] as Member)
  await untilSo(() => inTurn.some(house.members.isUp), UP_MS)
  const victims = inTurn.filter(house.members.isUp).slice(0, wanted.length)
  const carriers = NETWORKS.map((of) => house.proxyOf({ to: 'carrier', of }))
  const own = (of: Member) => [
    house.proxyOf({ to: 'database', of }),
    ...(of === 'api-1' || of === 'api-2' ? [house.proxyOf({ to: 'api', of })] : []),
  ]
  const busy = (proxies: readonly TcpProxy[]) => proxies.some((proxy) => proxy.waiting() > 0)
  await untilSo(() => busy(kind === APIS ? victims.flatMap(own) : carriers), AIM_MS)
  const atWork = victims.filter((member) => busy(own(member))).length
  const atMs = performance.now()
  const killed = victims.filter((member) => house.members.kill(member)).length
  await sleep(ABANDONED_MS)
  const calls = carriers.flatMap(({ abandonedAtMs }) => abandonedAtMs.filter((ms) => ms >= atMs)).length
  // A call belongs to one process: it counts for killed processes with no other work in flight.
  fault.hit = { killed, inFlight: Math.min(killed, atWork + Math.min(calls, killed - atWork)), calls }
  fault.done = killed > 0
}

async function recovery(house: House, fault: InjectedFault): Promise<void> {
  const fromMs = performance.now()
  await untilSo(() => house.client.firstCreatedAfter(fromMs) !== null, RECOVERY_PATIENCE_MS)
  const firstMs = house.client.firstCreatedAfter(fromMs)
  fault.recoveredMs = firstMs === null ? null : Math.round(firstMs - fromMs)
}

async function peace(house: House): Promise<void> {
  for (const party of [...house.receivers, house.gateway]) party.calm()
  house.client.peace()
  for (const network of house.networks) {
    network.proxy.set({ kind: 'none' })
    await network.control('DELETE', '/faults')
  }
}

async function untilSo(so: () => boolean, patienceMs: number): Promise<void> {
  const endMs = performance.now() + patienceMs
  while (!so() && performance.now() < endMs) await sleep(LOOK_MS)
}
