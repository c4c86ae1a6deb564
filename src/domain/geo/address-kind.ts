/**
 * The kind of an Australian address, by the forms of AS 4590.1 (postal delivery types) and those that
 * Australia Post prints for its Parcel Lockers and Parcel Collect: a street, a post office's box or bag, or a
 * parcel locker.
 */
export const ADDRESS_KINDS = ['street', 'po_box', 'parcel_locker'] as const
export type AddressKind = (typeof ADDRESS_KINDS)[number]

/** For people: "The address is a PO box". */
export const ADDRESS_KIND_NAMES: Readonly<Record<AddressKind, string>> = {
  street: 'a street address',
  po_box: 'a PO box or a locked bag',
  parcel_locker: 'a parcel locker',
}

type Lines = { address: string | null; address2: string | null }

/**
 * The kind of an address of one or two lines. A locker counts in either line, because the street beside it
 * only says where the locker is. A box in the second line of a street address does not count: a courier can
 * find the street.
 */
export function addressKindOf({ address, address2 }: Lines): AddressKind {
  if (!address && !address2) return 'street'
  const [first, second] = [plain(address), plain(address2)]
  if (LOCKER.test(first) || LOCKER.test(second)) return 'parcel_locker'
  if (BOX.test(first) || (BOX.test(second) && !STREET.test(first))) return 'po_box'
  return 'street'
}

/** Normalises a line: capitals, no full stops, single spaces: `P. O. Box 12` is `P O BOX 12`. */
function plain(line: string | null): string {
  return (line ?? '')
    .toUpperCase()
    .replace(/[.,/#-]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Locker numbers have five digits, starting with 10; their customer numbers have eight or ten. */
const LOCKER = /\bPARCEL (?:LOCKER|COLLECT)\b(?! (?:ST|STREET|RD|ROAD|AV|AVE|AVENUE|LANE|WAY|DR|DRIVE)\b)/

const NUMBER = '(?:NO )?[A-Z]{0,3} ?\\d+[A-Z]?\\b'

/**
 * Each form alone at the start of a line, or after the name of a building or a person; `BOX 7` and `BAG 7`
 * only at the start, because street names contain them too.
 */
const BOX = new RegExp(
  [
    `\\b(?:G ?P ?O|P ?O|POST OFFICE) ?BOX\\b(?! HILL\\b)`,
    `\\bG ?P ?O ${NUMBER}`,
    `\\b(?:LOCKED|PRIVATE)(?: MAIL)? BAG\\b(?! (?:ST|STREET|RD|ROAD|LANE)\\b)`,
    `\\b(?:PMB|LMB|CMB|RMB|RSD|RMS|RMD|CPA|CMA) ${NUMBER}`,
    `\\b(?:COMMUNITY MAIL (?:BAG|AGENT)|CARE (?:OF )?(?:PO|POST OFFICE|POSTAL AGENT)|POSTE RESTANTE)\\b`,
    `\\bC(?: O)? (?:PO|POST OFFICE)\\b`,
    `\\b(?:ROADSIDE (?:DELIVERY|MAIL (?:BOX|BAG|SERVICE)))\\b`,
    `^(?:MAIL|MAILING) SERVICE ${NUMBER}`,
    `^MS ${NUMBER}$`,
    `^(?:BOX|BAG|LOCKER) ${NUMBER}$`,
  ].join('|'),
)

/** A number and a name: `12 Smith St`, `Unit 4 12A Smith St`, `Lot 7 Old Coach Rd`. */
const STREET = /^(?:(?:LOT|UNIT|SHOP|SUITE|LEVEL|U|APT|FLAT|G|L) ?\w+ )*\d+[A-Z]?(?: \d+[A-Z]?)? [A-Z']{2,}/
