import { startChild } from '../environment/child.ts'
import type { Environment } from '../environment/environment.ts'
import { rotated } from '../rounds.ts'
import { atLeast, type Figure } from './figure.ts'
import { rateFigure, type Speed } from './ratio-figure.ts'

/** One label a document: ours compared with the same label in plain pdfkit, in one process that does nothing else. */
export async function labelFigures({ plan }: Environment): Promise<Figure[]> {
  const child = startChild(new URL('../baselines/labels-process.ts', import.meta.url))
  const made = (who: 'ours' | 'limit', durationMs: number) => child.ask<Speed>({ who, durationMs })
  try {
    const ours = () => made('ours', plan.durationMs)
    const limit = () => made('limit', plan.durationMs)
    await made('ours', plan.warmUpMs)
    await made('limit', plan.warmUpMs)
    const rounds = await rotated(plan.rounds, { ours, limit })
    return [rateFigure('labels ÷ the same label in plain pdfkit', atLeast(2, 20), rounds)]
  } finally {
    await child.stop()
  }
}
