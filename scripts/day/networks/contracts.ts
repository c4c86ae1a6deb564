/** A contract with Australia Post or StarTrack: each key has its own rate limits. */
export type Contract = {
  provider: string
  name: string
  accountNumber: string
  apiKey: string
  locationId: string
  stores: readonly string[]
}

const contract = (
  provider: string,
  name: string,
  accountNumber: string,
  locationId: string,
  stores: readonly string[],
): Contract => ({ provider, name, accountNumber, apiKey: `key-of-${provider}`, locationId, stores })

const EAST = ['melbourne-cbd', 'fitzroy', 'sydney-cbd', 'parramatta', 'canberra-city', 'brisbane-cbd']
const WEST = ['adelaide-cbd', 'perth-cbd', 'hobart-cbd', 'darwin-cbd']

/** One contract for each region, as chains have. Each can track a hundred parcels a minute. */
export const CONTRACTS: readonly Contract[] = [
  contract('auspost_vic', 'Australia Post VIC', '0000200001', 'DYA', ['melbourne-cbd', 'fitzroy']),
  contract('auspost_nsw', 'Australia Post NSW', '0000200002', 'DYB', [
    'sydney-cbd',
    'parramatta',
    'canberra-city',
  ]),
  contract('auspost_qld', 'Australia Post QLD', '0000200003', 'DYC', ['brisbane-cbd', 'darwin-cbd']),
  contract('auspost_west', 'Australia Post West', '0000200004', 'DYD', [
    'adelaide-cbd',
    'perth-cbd',
    'hobart-cbd',
  ]),
  contract('startrack_east', 'StarTrack East', '20000001', 'DYST', EAST),
  contract('startrack_west', 'StarTrack West', '20000002', 'DYSW', WEST),
]

export const PASSWORD = 'fake-password'

/** The contract's account at the fake. */
export function contractAtFake({ accountNumber, apiKey, locationId, name }: Contract) {
  return {
    account_number: accountNumber,
    api_key: apiKey,
    api_password: PASSWORD,
    name,
    location_id: locationId,
  }
}

/** The carrier whose contract has this account number. */
export function providerOf(accountNumber: string): string {
  return CONTRACTS.find((one) => one.accountNumber === accountNumber)?.provider ?? accountNumber
}
