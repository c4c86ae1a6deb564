import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startChild } from '../environment/child.ts'
import { startBenchDatabase } from '../environment/database.ts'
import type { Environment } from '../environment/environment.ts'
import { startService } from '../environment/service.ts'
import { atMost, type Figure } from '../figures/figure.ts'
import { heavyRequests } from './heavy-requests.ts'
import { carrierAnswer } from './inputs.ts'
import type { Pause } from './pause-probe.ts'

const GOAL = atMost(50, 25)

/**
 * How long the heaviest work blocks all other requests of a process: the longest turn of its event loop for each
 * renderer and endpoint with its largest input, including the first time. The figure is CPU time of the thread,
 * since other processes of a busy machine interrupt it.
 */
export async function pauseFigures({ plan }: Pick<Environment, 'plan'>): Promise<Figure[]> {
  const rounds = plan.isQuick ? Math.min(plan.rounds, 2) : 5
  return [...(await rendererPauses(rounds)), ...(await requestPauses(rounds, Math.min(plan.fill, 10_000)))]
}

async function rendererPauses(rounds: number): Promise<Figure[]> {
  const answer = carrierAnswer()
  const carrier = createServer((_, response) =>
    response.setHeader('content-type', 'application/json').end(answer),
  ).listen(0, '127.0.0.1')
  await new Promise((done) => carrier.once('listening', done))
  const url = `http://127.0.0.1:${(carrier.address() as AddressInfo).port}`
  const child = startChild(new URL('./renderers-process.ts', import.meta.url))
  try {
    const figures: Figure[] = []
    for (const name of await child.ask<string[]>('names'))
      figures.push(await pauseFigure(name, rounds, () => child.ask<Pause>({ name, url })))
    return figures
  } finally {
    await child.stop()
    carrier.close()
  }
}

async function requestPauses(rounds: number, deliveries: number): Promise<Figure[]> {
  const database = await startBenchDatabase()
  const service = await startService(database.home, database.url, { hasProbe: true })
  try {
    const figures: Figure[] = []
    for (const [name, request] of Object.entries(await heavyRequests(service, database, deliveries)))
      figures.push(await pauseFigure(name, rounds, () => service.longestPause(request)))
    return figures
  } finally {
    await service.stop()
    await database.stop()
  }
}

async function pauseFigure(name: string, rounds: number, measure: () => Promise<Pause>): Promise<Figure> {
  const pauses: Pause[] = []
  for (let round = 0; round < rounds; round++) pauses.push(await measure())
  const say = (of: keyof Pause) => pauses.map((pause) => pause[of].toFixed(0)).join(', ')
  return {
    name: `longest pause: ${name}`,
    goal: GOAL,
    value: Math.max(...pauses.map(({ cpuMs }) => cpuMs)),
    unit: 'ms',
    beside: `each time ${say('cpuMs')} ms of CPU; ${say('wallMs')} ms by the clock`,
  }
}
