import {
  askedPhone,
  requestDriverCodes,
  verifyDriverCode,
} from '../../../src/operations/own-couriers/driver-login.ts'
import { fromAddress } from '../../harness/http.ts'
import { API_PROCESSES, answerOf, apiOf, type Guess, type Site, sixDigits, type Target } from './target.ts'

const ONE_IN_A_MILLION = 1e-6
const TRIES_OF_CODE = 5
const HOUR_S = 3_600

/** Guesses at every API process, each time for another phone; `addressOf` returns the client address. */
function guessAtApi(addressOf: (number: number) => number): (site: Site) => Promise<Guess> {
  return async (site) => (number, random) => {
    const phone = site.phones[number % site.phones.length]
    const call = {
      body: { phone, code: sixDigits(random) },
      token: null,
      headers: fromAddress(addressOf(number)),
    }
    return apiOf(site, number)('POST /driver/verify', call).then(answerOf)
  }
}

/** The limits with several API processes: five attempts for a code, and a maximum of codes an hour for a phone. */
async function withoutApi({ deps, phones }: Site): Promise<Guess> {
  return async (number, random) => {
    const phone = phones[number % phones.length] as string
    const turn = Math.floor(number / phones.length)
    if (turn % TRIES_OF_CODE === 0) await nextCode(deps, phone)
    return verifyDriverCode(deps, await askedPhone(deps, phone), sixDigits(random)).then(
      () => 'in',
      () => 'compared',
    )
  }
}

/** The code that the phone gets after its wrong attempts are used up. */
async function nextCode(deps: Site['deps'], phone: string): Promise<void> {
  await requestDriverCodes(deps, await askedPhone(deps, phone))
}

export const CODES: readonly Target[] = [
  {
    what: 'a driver’s code, from one address',
    share: 10,
    chance: ONE_IN_A_MILLION,
    max: (seconds) => API_PROCESSES * (50 + (50 * seconds) / HOUR_S),
    begin: guessAtApi(() => 1),
  },
  {
    what: 'a driver’s code, each guess from another address',
    share: 30,
    chance: ONE_IN_A_MILLION,
    max: (seconds) => API_PROCESSES * (500 + (500 * seconds) / HOUR_S),
    begin: guessAtApi((number) => 2 + number),
  },
  {
    what: 'a driver’s code, without the processes’ rate limits',
    share: 15,
    chance: ONE_IN_A_MILLION,
    max: null,
    begin: withoutApi,
  },
]
