import type { State } from '../../src/domain/values.ts'
import { homeIn } from './places.ts'

/** Homes near to and far from every store: each capital and one of its suburbs, remote towns, unusual time zones. */
export const DESTINATIONS = [
  ...homes('VIC', 'Melbourne 3000, Fitzroy 3065, Footscray 3011, Geelong 3220, Mildura 3500, Wodonga 3690'),
  ...homes('NSW', 'Sydney 2000, Parramatta 2150, Bondi 2026, Dubbo 2830, Queanbeyan 2620, Tweed Heads 2485'),
  ...homes('NSW', 'Broken Hill 2880, Lord Howe Island 2898, Albury 2640'),
  ...homes('QLD', 'Brisbane City 4000, Chermside 4032, Cairns City 4870, Mount Isa 4825'),
  ...homes('SA', 'Adelaide 5000, Glenelg 5045, Mount Gambier 5290'),
  ...homes('WA', 'Perth 6000, Fremantle 6160, Broome 6725, Norseman 6443'),
  ...homes('TAS', 'Hobart 7000, Kingston 7050, Launceston 7250'),
  ...homes('ACT', 'City 2601, Belconnen 2617, Canberra 2600'),
  ...homes('NT', 'Darwin City 0800, Palmerston City 0830, Alice Springs 0870'),
]

function homes(state: State, towns: string) {
  return towns.split(', ').map((town) => homeIn(town.slice(0, -5), state, town.slice(-4)))
}
