import { around } from 'geokdbush'
import KDBush from 'kdbush'
import { rankStores } from '../../src/domain/allocation/rank-stores.ts'
import { chainAccount } from '../../test/chain-account.ts'
import { TUESDAY_TEN } from '../../test/jobs.ts'
import { answerParent } from '../environment/child.ts'

/** Centres of Australian stores and customers. */
const CITIES = [
  [-37.81, 144.96],
  [-33.87, 151.2],
  [-27.47, 153.02],
  [-31.95, 115.86],
] as const
const HOURS = ['fitzroy', 'sydney-cbd', 'brisbane-cbd', 'perth-cbd', 'hobart-cbd'] as const
const MAX_STORES = 100_000
const NEAREST = 3

type Place = { lat: number; lng: number }

const allStores = Array.from({ length: MAX_STORES }, (_, index) => ({
  reference: `s${index}`,
  hoursOf: HOURS[index % HOURS.length] as string,
  ...placeOf(index),
}))
const destinations = Array.from({ length: 50 }, (_, index) => placeOf(index * 1_999 + 7))

type Stores = typeof allStores
type Work = (destination: Place) => unknown
const MAKERS: Record<'ours' | 'limit', Record<'nearest' | 'by_time', (stores: Stores) => Work>> = {
  ours: { nearest: ranking('distance_only'), by_time: ranking('timeline_over_distance') },
  limit: { nearest: treeAlone, by_time: onePass },
}
const made = new Map<string, Work>()

type Question = { who: keyof typeof MAKERS; what: keyof (typeof MAKERS)['ours']; stores: number }

/** The median of the calls in microseconds, after the same number of warm-up calls. */
answerParent(async ({ who, what, stores }: Question) => {
  const name = `${who} ${what} ${stores}`
  const work = made.get(name) ?? MAKERS[who][what](allStores.slice(0, stores))
  made.set(name, work)
  for (let round = 0; round < 4; round++) for (const place of destinations) work(place)
  const took = destinations.map((place) => {
    const beganMs = performance.now()
    work(place)
    return (performance.now() - beganMs) * 1_000
  })
  return took.sort((a, b) => a - b)[took.length >> 1]
})

function ranking(strategy: Parameters<typeof chainAccount>[0]): (stores: Stores) => Work {
  return (stores) => {
    const account = chainAccount(strategy, stores)
    return (destination) =>
      rankStores(
        account,
        account.stores,
        { destination, readyForPickupAt: null, storeIds: null, storeReferences: null, count: NEAREST },
        TUESDAY_TEN,
      )
  }
}

function treeAlone(stores: Stores): Work {
  const tree = new KDBush(stores.length)
  for (const { lng, lat } of stores) tree.add(lng, lat)
  tree.finish()
  return ({ lng, lat }) => around(tree, lng, lat, NEAREST)
}

/** The least work that looks at every store: the nearest by unit vectors, in one pass over typed arrays. */
function onePass(stores: Stores): Work {
  const vectors = Float64Array.from(stores.flatMap(vectorOf))
  return (place) => {
    const [x, y, z] = vectorOf(place)
    let best = 0
    let nearest = -2
    for (let index = 0; index < stores.length; index++) {
      const at = index * 3
      const dot = x * vectors[at]! + y * vectors[at + 1]! + z * vectors[at + 2]!
      if (dot > nearest) {
        nearest = dot
        best = index
      }
    }
    return best
  }
}

function vectorOf({ lat, lng }: Place): [x: number, y: number, z: number] {
  const [phi, lambda] = [(lat * Math.PI) / 180, (lng * Math.PI) / 180]
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)]
}

/** The same places in every run: a sum of three sawtooths is dense in the middle of a city. */
function placeOf(index: number): Place {
  const [lat, lng] = CITIES[index % CITIES.length] as (typeof CITIES)[number]
  const spread = (step: number) =>
    ((index * step) % 1) + ((index * step * 3.7) % 1) + ((index * step * 9.1) % 1) - 1.5
  return { lat: lat + spread(0.618034) * 0.4, lng: lng + spread(0.754878) * 0.4 }
}
