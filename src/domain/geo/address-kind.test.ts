import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type AddressKind, classifyAddress } from './address-kind.ts'

const CASES: readonly (readonly [AddressKind, string, string?])[] = [
  ['street', '12 Smith St'],
  ['street', 'Unit 4/12A Smith Street'],
  ['street', 'Lot 7 Old Coach Rd'],
  ['street', '1 Locker Street'],
  ['street', '24 Private Bag Lane'],
  ['street', '5 Box Hill Road'],
  ['street', '45 Post Office Box Hill Road'],
  ['street', '3 Bag Street'],
  ['street', 'Level 2, Post Office Building, 10 Poste Lane'],
  ['street', '88 Parcel Collect Street'],
  ['street', '10 Gpo Lane'],
  ['street', 'Po Valley Drive 12'],
  ['street', '12 Smith St', 'PO Box 45'],
  ['street', 'Unit 4, 12 Smith St', 'GPO Box 9'],
  ['street', '1 Msquare Ave', 'Shop 4'],
  ['po_box', 'PO Box 123'],
  ['po_box', 'P.O. Box 123'],
  ['po_box', 'P. O. BOX 123'],
  ['po_box', 'po box A123'],
  ['po_box', 'POBox 123'],
  ['po_box', 'Post Office Box 12'],
  ['po_box', 'PO Box 12, Smith Street'],
  ['po_box', 'PO Box No. 7'],
  ['po_box', 'GPO Box 1234B'],
  ['po_box', 'G.P.O. Box 5'],
  ['po_box', 'GPO 1234'],
  ['po_box', 'Box 77'],
  ['po_box', 'Bag 5'],
  ['po_box', 'Locked Bag 20'],
  ['po_box', 'Locked Mail Bag 20'],
  ['po_box', 'Private Bag 4'],
  ['po_box', 'Private Mail Bag 4'],
  ['po_box', 'PMB 62'],
  ['po_box', 'LMB 3'],
  ['po_box', 'CMB 1'],
  ['po_box', 'CPA 9'],
  ['po_box', 'RMB 1234'],
  ['po_box', 'RSD 45'],
  ['street', 'RMB 1234 Dunkeld Road'],
  ['street', 'RMB 1204 Smith Road'],
  ['street', 'RSD 45 Old Coach Road'],
  ['street', 'RMB 77, 120 Western Highway'],
  ['street', 'RSD A12 Mt. Barker Track'],
  ['street', 'Care of Post Office Hotel, 20 Sydney Rd'],
  ['street', 'C/- Post Office Cafe, 3 High St'],
  ['street', '7 Postbox Lane'],
  ['street', '12 Reply Street'],
  ['street', '3 Lockerbie Road'],
  ['street', 'Unit 5, 2 Bagot Street'],
  ['street', '9 Boxwood Court'],
  ['street', '1 Boxer Place'],
  ['street', 'Poets Road 12'],
  ['po_box', 'PO Box65'],
  ['po_box', 'P.O.Box123'],
  ['po_box', 'POB 65'],
  ['po_box', 'P.O.B. 65'],
  ['po_box', 'PO Bx 65'],
  ['po_box', 'P/O Box 65'],
  ['po_box', 'Po-Box 65'],
  ['po_box', 'P0 Box 12'],
  ['po_box', 'P0Box12'],
  ['po_box', 'GPOBox 9'],
  ['po_box', 'PO 65'],
  ['po_box', 'Post Box 9'],
  ['po_box', 'Postal Box 9'],
  ['po_box', 'Postbox 9'],
  ['po_box', 'PO Box # 9'],
  ['po_box', 'PO Box Number 9'],
  ['po_box', 'Private Box 9'],
  ['po_box', 'Locked Bag20'],
  ['po_box', 'Locker Bag 20'],
  ['po_box', 'Locked Bag No. 20'],
  ['po_box', 'Private Bag7'],
  ['po_box', 'Mail Bag 3'],
  ['po_box', 'Community Bag 2'],
  ['po_box', 'Reply Paid 84321'],
  ['po_box', 'ReplyPaid 84321'],
  ['po_box', 'Fitzroy Books, Reply Paid 84321'],
  ['po_box', 'CMB12'],
  ['po_box', 'Care of Post Office, Nhill'],
  ['po_box', 'c/o Post Office'],
  ['po_box', 'BOX 77, Smith Street'],
  ['parcel_locker', 'Locker 1012345678, 12 Smith St'],
  ['parcel_locker', 'Locker 10147 12345 67890'],
  ['parcel_locker', 'Locker No 10147'],
  ['po_box', 'Roadside Delivery 45'],
  ['po_box', 'Roadside Mail Box 12'],
  ['po_box', 'RMS 6'],
  ['po_box', 'MS 852'],
  ['po_box', 'Care PO'],
  ['po_box', 'Care of Post Office'],
  ['po_box', 'C/- Post Office'],
  ['po_box', 'Poste Restante'],
  ['po_box', 'Fitzroy Books', 'PO Box 45'],
  ['po_box', '', 'Locked Bag 3'],
  ['parcel_locker', 'Parcel Locker 10147 12345 67890'],
  ['parcel_locker', 'PARCEL LOCKER 1014712345'],
  ['parcel_locker', 'Parcel Collect 10123 45678'],
  ['parcel_locker', '120 Smith St', 'Parcel Locker 10147 12345'],
  ['parcel_locker', 'Parcel Locker 10147 12345', 'PO Box 12'],
]

test('recognises PO boxes, bags and lockers, and streets that sound like them', () => {
  for (const [kind, address, address2] of CASES)
    assert.equal(
      classifyAddress({ address, address2: address2 ?? null }),
      kind,
      `${address}, ${address2 ?? ''}`,
    )
})

test('a missing address counts as a street, since quotes may omit it', () => {
  assert.equal(classifyAddress({ address: null, address2: null }), 'street')
})

test('capitals, full stops and gaps change nothing', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...CASES),
      fc.boolean(),
      fc.constantFrom(' ', '  '),
      ([kind, line, line2], upper, gap) => {
        const spelt = (text: string) => (upper ? text.toUpperCase() : text.toLowerCase()).replaceAll(' ', gap)
        assert.equal(classifyAddress({ address: spelt(line), address2: line2 ? spelt(line2) : null }), kind)
      },
    ),
  )
})
