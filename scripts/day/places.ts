/** Where the day's customers live: near each store of the demo account, in its state, and elsewhere. */
export type Place = { city: string; state: string; post_code: string }

export type DayStore = {
  reference: string
  /** Within the couriers' 20 km. */
  near: readonly Place[]
  /** False if customers return no goods to it. */
  takesPickups: boolean
}

const place = (city: string, state: string, post_code: string): Place => ({ city, state, post_code })
const at = (reference: string, near: readonly Place[], takesPickups = true): DayStore => ({
  reference,
  near,
  takesPickups,
})

const MELBOURNE = [
  place('Carlton', 'VIC', '3053'),
  place('Richmond', 'VIC', '3121'),
  place('St Kilda', 'VIC', '3182'),
  place('Brunswick', 'VIC', '3056'),
]

export const DAY_STORES: readonly DayStore[] = [
  at('melbourne-cbd', MELBOURNE),
  at('fitzroy', MELBOURNE),
  at('sydney-cbd', [place('Newtown', 'NSW', '2042'), place('Bondi', 'NSW', '2026')]),
  at('parramatta', [place('Westmead', 'NSW', '2145'), place('Granville', 'NSW', '2142')]),
  at('brisbane-cbd', [place('Toowong', 'QLD', '4066'), place('New Farm', 'QLD', '4005')], false),
  at('adelaide-cbd', [place('Unley', 'SA', '5061'), place('Norwood', 'SA', '5067')]),
  at('perth-cbd', [place('Subiaco', 'WA', '6008'), place('Fremantle', 'WA', '6160')]),
  at('hobart-cbd', [place('Sandy Bay', 'TAS', '7005'), place('Glenorchy', 'TAS', '7010')]),
  at('canberra-city', [place('Braddon', 'ACT', '2612'), place('Kingston', 'ACT', '2604')]),
  at('darwin-cbd', [place('Nightcliff', 'NT', '0810'), place('Stuart Park', 'NT', '0820')]),
]

/** Capitals and the country, for goods that go by road or air. */
export const FAR_PLACES: readonly Place[] = [
  place('Ballarat Central', 'VIC', '3350'),
  place('Bendigo', 'VIC', '3550'),
  place('Newcastle', 'NSW', '2300'),
  place('Broken Hill', 'NSW', '2880'),
  place('Cairns', 'QLD', '4870'),
  place('Toowoomba', 'QLD', '4350'),
  place('Mount Gambier', 'SA', '5290'),
  place('Kalgoorlie', 'WA', '6430'),
  place('Launceston', 'TAS', '7250'),
  place('Alice Springs', 'NT', '0870'),
  place('Melbourne', 'VIC', '3000'),
  place('Sydney', 'NSW', '2000'),
  place('Perth', 'WA', '6000'),
]
