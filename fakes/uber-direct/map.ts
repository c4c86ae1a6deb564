import { z } from 'zod'
import { controlRoute } from '../control-route.ts'
import type { FakeRoute } from '../fake.ts'
import type { UberState } from './state.ts'

const UnknownPlace = z.strictObject({ unknown: z.string().min(1).nullable() })

/** `POST /_fake/map {"unknown":"Fitzroy"}`: no address with this text is found; null ends that. */
export function mapControl(state: UberState): FakeRoute {
  return controlRoute('/_fake/map', UnknownPlace, ({ unknown }) => {
    state.unknownPlace = unknown
  })
}

export function isOnTheMap({ unknownPlace }: Pick<UberState, 'unknownPlace'>, address: string): boolean {
  return unknownPlace === null || !address.includes(unknownPlace)
}
