import { accountTag } from '../../../src/operations/tokens/account-tag.ts'
import { fromAddress, good } from '../../harness/http.ts'
import { orderOf, roadOrderOf } from '../../harness/orders.ts'
import type { Random } from '../../harness/random.ts'
import { API_PROCESSES, answerOf, apiOf, randomText, type Site, sixDigits, type Target } from './target.ts'

const TRIES_OF_LINK = 5
const LINKS = 10
const STORE = 'melbourne-cbd'

/** The part of each token that an attacker knows from the source code. */
const TAG = accountTag('demo')
const tokenOf = (random: Random, bytes: number) =>
  Buffer.concat([TAG, Buffer.from(randomText(random, Math.ceil((bytes * 4) / 3)), 'base64url')])
    .subarray(0, TAG.length + bytes)
    .toString('base64url')

const openLink = (addressOf: (number: number) => number) => async (site: Site) =>
  ((number, random) =>
    apiOf(site, number)(`GET /l/${tokenOf(random, 20)}`, {
      ...{ token: null, headers: fromAddress(addressOf(number)) },
    }).then(answerOf)) satisfies Awaited<ReturnType<Target['begin']>>

export const LINKS_AND_ADDRESSES: readonly Target[] = [
  {
    what: 'a booking link, from one address',
    share: 5,
    chance: 2 ** -160,
    max: (seconds) => API_PROCESSES * (100 + seconds),
    begin: openLink(() => 1),
  },
  {
    what: 'a booking link, each guess from another address',
    share: 15,
    chance: 2 ** -160,
    max: null,
    begin: openLink((number) => 2 + number),
  },
  {
    what: `the order number of ${LINKS} known links, one in a million`,
    share: 10,
    chance: 1e-6,
    max: () => LINKS * TRIES_OF_LINK,
    async begin(site) {
      const [api] = site.system.apis
      const paths: string[] = []
      for (let link = 0; link < LINKS; link += 1) {
        // The X makes each reference too long for any guess.
        const made = await good(api('POST /demo/links', { body: orderOf(STORE, `ORDER-${link}X`) }))
        paths.push(`/l/${new URL(made.link).pathname.split('/').at(-1)}`)
      }
      return (number, random) =>
        apiOf(site, number)(`POST ${paths[number % LINKS]}/verify`, {
          body: { reference: `ORDER-${sixDigits(random)}` },
          ...{ token: null, headers: fromAddress(2 + number) },
        }).then(answerOf)
    },
  },
  {
    what: 'a tracking address, each guess from another address',
    share: 7.5,
    chance: 2 ** -128,
    max: null,
    begin: async (site) => (number, random) =>
      apiOf(site, number)(`GET /track/${tokenOf(random, 32)}`, {
        ...{ token: null, headers: fromAddress(2 + number) },
      }).then(answerOf),
  },
  {
    what: 'the signature of a label’s address',
    share: 7.5,
    chance: 2 ** -256,
    max: null,
    async begin(site) {
      const [api] = site.system.apis
      const body = roadOrderOf(STORE, 'GUESSED-LABEL', { book_delivery_now: true })
      const { id } = await good(api('POST /demo/deliveries', { body }))
      const exp = Math.floor(Date.now() / 1_000) + 3_600
      return (number, random) =>
        apiOf(site, number)(`GET /demo/deliveries/${id}/label?exp=${exp}&sig=${randomText(random, 43)}`, {
          token: null,
          headers: fromAddress(2 + number),
        }).then(answerOf)
    },
  },
]
