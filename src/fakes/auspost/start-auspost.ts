import { type FakeCarrier, type FakeDesk, type StartFake, startFake } from '../fake.ts'
import { SIGN_IN } from './accounts.ts'
import { callerOf } from './callers.ts'
import { failure, gatewayError, notKnown, systemError } from './error-answers.ts'
import { knobsOf } from './knobs.ts'
import { downloadLabel } from './label-routes.ts'
import { operationsOf } from './operations.ts'
import { newWorld } from './world.ts'

/** Production and testbed: the same state behind both. */
const BASES = ['/shipping/v1', '/test/shipping/v1']
const FILES = '/lodgement4/labels/'

/** Fake of Australia Post's and StarTrack's Shipping & Tracking API v1, from its references: see readme.md. */
function auspost(desk: FakeDesk): FakeCarrier {
  const world = newWorld(desk)
  return {
    routes: [
      ...BASES.flatMap((base) => operationsOf(world, base)),
      {
        name: 'download_label',
        method: 'GET',
        path: `${FILES}:file`,
        answer: (request) => downloadLabel(world, request),
      },
    ],
    signIn: SIGN_IN,
    admit: ({ path, headers }) => (path.startsWith(FILES) || callerOf(world, headers) ? null : notKnown()),
    callerOf: ({ headers }) => callerOf(world, headers),
    unknownPath: () => gatewayError(404, 'API_003', 'Not found', 'No resource is found at this path.'),
    failure,
    internalFailure: systemError,
    controls: knobsOf(world),
  }
}

/** Account `0000123456`, StarTrack account `10123456`; key `fake-key`, password `fake-password`. */
export const startAuspost: StartFake = (options) => startFake(auspost, options)
