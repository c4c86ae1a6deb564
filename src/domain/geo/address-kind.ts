/**
 * PO box, locked bag or parcel locker: the kind of an Australian address, by the forms of AS 4590.1 (postal
 * delivery types) and those that Australia Post prints for its Parcel Lockers and Parcel Collect. Any other address is a
 * street address.
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
export function classifyAddress({ address, address2 }: Lines): AddressKind {
  if (!address && !address2) return 'street'
  const [first, second] = [plain(address), plain(address2)]
  if (LOCKER.test(first) || LOCKER.test(second)) return 'parcel_locker'
  if (BOX.test(first) || (BOX.test(second) && !STREET.test(first))) return 'po_box'
  return 'street'
}

/** Normalises a line: capitals, no full stops, single spaces: `P. O. Box 12` is `P O BOX 12`. Commas stay apart. */
function plain(line: string | null): string {
  return (line ?? '')
    .toUpperCase()
    .replace(/,+/g, ' , ')
    .replace(/[.:/#_()\-–—]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^[, ]+/, '')
}

const ROAD_WORDS = '(?:ST|STREET|RD|ROAD|AV|AVE|AVENUE|LANE|LN|WAY|DR|DRIVE|CT|COURT|PL|PLACE|CRES|CRESCENT)'

/**
 * Locker numbers have five digits, starting with 10; their customer numbers have eight or ten. People leave out
 * "Parcel", and write both numbers as one.
 */
const LOCKER = new RegExp(
  [
    `\\bPARCEL (?:LOCKER|COLLECT)(?![A-Z])(?! ${ROAD_WORDS}\\b)`,
    `\\bLOCKER ?(?:NO ?|NUMBER ?)?10\\d{3}`,
  ].join('|'),
)

/** `12`, `A123`, `No 7`; also without a blank before it, as in `Box65`. */
const NUMBER = ' ?(?:NO |NUMBER |NR )?[A-Z]{0,3} ?\\d+[A-Z]?(?![A-Z0-9])'
/** PO, also with a zero for the letter. */
const PO = 'P ?[O0]'
const BOX_WORD = '(?:BOX|BX)(?![A-Z])(?! HILL\\b)'
const BAG_WORD = '(?:BAG|BG)(?![A-Z])'
/** A business or a street that is named after a post office. */
const NAMED_AFTER =
  '(?! (?:HOTEL|MOTEL|TAVERN|INN|PUB|BAR|CAFE|RESTAURANT|BAKERY|GALLERY|ARCADE|SQUARE|BUILDING|HOUSE|TOWERS?|APARTMENTS|THEATRE|GYM|BOOKS|SHOP|STORES?|ANTIQUES|LANE|LN|STREET|ST|ROAD|RD|PLACE|PL|AVENUE|AVE|HILL)\\b)'
/** Roadside boxes have no street; with the name of a road behind the number, the courier finds them. */
const NO_ROAD = `(?! ?,? (?:\\d+[A-Z]? )?[A-Z'’]{2,}(?: [A-Z'’]+)* ${ROAD_WORDS}\\b)(?! ?,? (?:\\d+[A-Z]? )?[A-Z'’]{2,}(?: [A-Z'’]+)* (?:HIGHWAY|HWY|TRACK|TRAIL|LOOP|CLOSE|CL|PARADE|PDE|TCE|TERRACE|GROVE|CIRCUIT)\\b)`

/**
 * Each form alone at the start of a line, or after the name of a building or a person; `BOX 7` and `BAG 7`
 * only at the start, because street names contain them too.
 */
const BOX = new RegExp(
  [
    `\\b(?:G ?)?${PO} ?${BOX_WORD}(?! ${ROAD_WORDS}\\b)`,
    `\\bPOST(?:AL)? OFFICE ?${BOX_WORD}`,
    `\\b(?:G ?)?${PO} ?B${NUMBER}`,
    `\\bPOST(?:AL)? ?BOX${NUMBER}`,
    `\\bPRIVATE ?BOX${NUMBER}`,
    `\\bG ?P ?[O0]${NUMBER}`,
    `^${PO} (?:NO )?\\d+[A-Z]?(?: ?,|$)`,
    `\\b(?:LOCKE[DR]|PRIVATE|COMMUNITY)(?: ?MAIL)? ?${BAG_WORD}(?! ${ROAD_WORDS}\\b)`,
    `\\bMAIL ?BAG${NUMBER}`,
    `\\bREPLY ?PAID(?:${NUMBER}|$| ,)`,
    `\\bFREE ?POST${NUMBER}`,
    `\\b(?:PMB|LMB|CMB|CPA|CMA)${NUMBER}`,
    `\\b(?:RMB|RSD|RMS|RMD)${NUMBER}${NO_ROAD}`,
    `\\b(?:COMMUNITY (?:MAIL|POSTAL) (?:BAG|AGENT|AGENCY)|CARE (?:OF )?(?:PO|POSTAL AGENT)|POSTE RESTANTE)\\b`,
    `\\bC(?:ARE)?(?: ?O(?:F)?)? (?:PO|POST OFFICE)(?![A-Z])${NAMED_AFTER}`,
    `\\bROADSIDE (?:DELIVERY|MAIL (?:BOX|BAG|SERVICE))(?:${NUMBER}${NO_ROAD}|$)`,
    `^(?:MAIL|MAILING) SERVICE${NUMBER}`,
    `^MS ?\\d+$`,
    `^(?:BOX|BAG|LOCKER)${NUMBER}(?: ?,|$)`,
  ].join('|'),
)

/** A number and a name: `12 Smith St`, `Unit 4 12A Smith St`, `Lot 7 Old Coach Rd`. */
const STREET =
  /^(?:(?:LOT|UNIT|SHOP|SUITE|LEVEL|U|APT|FLAT|G|L) ?\w+ (?:, )?)*\d+[A-Z]?(?: \d+[A-Z]?)? [A-Z'’]{2,}/
