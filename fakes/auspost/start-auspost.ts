import { type FakeCarrier, type FakeServer, type StartFake, startFake } from '../fake.ts'
import { SIGN_IN } from './accounts.ts'
import { callerOf } from './callers.ts'
import { failure, gatewayError, notKnown, systemError } from './error-answers.ts'
import { faultControls } from './fault-controls.ts'
import { downloadLabel } from './label-routes.ts'
import { operationsOf } from './operations.ts'
import { newState } from './state.ts'

/** Production and testbed: the same state behind both. */
const BASES = ['/shipping/v1', '/test/shipping/v1']
const FILES = '/lodgement4/labels/'

/** Fake of Australia Post's and StarTrack's Shipping & Tracking API v1, from its references: see readme.md. */
function auspost(server: FakeServer): FakeCarrier {
  const state = newState(server)
  return {
    routes: [
      ...BASES.flatMap((base) => operationsOf(state, base)),
      {
        name: 'download_label',
        method: 'GET',
        path: `${FILES}:file`,
        answer: (request) => downloadLabel(state, request),
      },
    ],
    signIn: SIGN_IN,
    admit: ({ path, headers }) => (path.startsWith(FILES) || callerOf(state, headers) ? null : notKnown()),
    callerOf: ({ headers }) => callerOf(state, headers),
    unknownPath: () => gatewayError(404, 'API_003', 'Not found', 'No resource is found at this path.'),
    failure,
    internalFailure: systemError,
    controls: faultControls(state),
  }
}

/** Account `0000123456`, StarTrack account `10123456`; key `fake-key`, password `fake-password`. */
export const startAuspost: StartFake = (options) => startFake(auspost, options)
