import { type StartFake, startFake } from '../fake.ts'
import { auspost } from './auspost.ts'

/** Account `0000123456`, StarTrack account `10123456`; key `fake-key`, password `fake-password`. */
export const startAuspost: StartFake = (options) => startFake(auspost, options)
