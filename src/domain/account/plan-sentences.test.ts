import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse } from 'yaml'
import type { AccountDocumentInput } from './document/document.ts'
import { planAccount, planText } from './plan.ts'
import { toPlanSentences } from './plan-sentences.ts'

const demo: AccountDocumentInput = parse(
  readFileSync(new URL('../../../examples/demo-account.yaml', import.meta.url), 'utf8'),
)

const LOGO = 'data:image/png;base64,iVBORw0KGgo'

function sentencesOf(change: (document: AccountDocumentInput) => void): string[] {
  const after = structuredClone(demo)
  change(after)
  return toPlanSentences(planAccount(demo, after), demo, after)
}

test('a plan reads as sentences', () => {
  const perth = (document: AccountDocumentInput) => document.stores[6]!
  const rows: [(document: AccountDocumentInput) => unknown, string[]][] = [
    [(d) => (perth(d).hours.sat = '09:00-13:00'), ['Perth CBD closes at 1 pm on Saturdays instead of 5 pm.']],
    [
      (d) => (perth(d).hours['mon-fri'] = '09:00-17:30'),
      ['Perth CBD opens at 9 am from Monday to Friday instead of 8:30 am.'],
    ],
    [
      (d) => Object.assign(perth(d).hours, { sat: '10:00-12:00', sun: 'closed' }),
      [
        'Perth CBD is open 10 am – 12 pm on Saturdays instead of 9 am – 5 pm.',
        'Perth CBD no longer opens on Sundays.',
      ],
    ],
    [
      (d) => (d.delivery_types.express!.timing.on_day!.cut_off = '15:30'),
      ['Delivery type Express: the last pickup of the day is at 3:30 pm instead of 4 pm.'],
    ],
    [
      (d) => (d.delivery_types.express!.timing.on_day!.days = 2),
      [
        'Delivery type Express: deliveries arrive 2 business days after pickup instead of 1 business day after pickup.',
      ],
    ],
    [
      (d) =>
        Object.assign(d.delivery_types.fast!.timing.after_pickup!, {
          minutes_per_km: 2,
          hours: '08:00-18:00',
        }),
      [
        'Delivery type Fast: each kilometre adds 2 minutes.',
        'Delivery type Fast: couriers collect 8 am – 6 pm.',
      ],
    ],
    [
      (d) =>
        (d.delivery_types.express!.timing = {
          after_pickup: { lead_minutes: 30, window_minutes: 120 },
        } as never),
      [
        'Delivery type Express: delivery windows are now set in minutes after the pickup, instead of business days.',
      ],
    ],
    [
      (d) => (d.carriers![0]!.services[0]!.timing.after_pickup!.window_minutes = 90),
      ['Swiftly NOW: the window is 90 minutes long instead of 60 minutes.'],
    ],
    [
      (d) => (d.stores[1]!.hours.sun = ['10:00-12:00', '13:00-16:00']),
      ['Fitzroy now opens on Sundays, 10 am – 12 pm and 1 pm – 4 pm.'],
    ],
    [
      (d) =>
        (perth(d).closures = [
          { from: '2026-12-24', to: '2026-12-28', reason: 'Christmas' },
          { from: '2027-01-04' },
        ]),
      [
        'Perth CBD is closed from 24 December 2026 to 28 December 2026 (Christmas).',
        'Perth CBD is closed on 4 January 2027.',
      ],
    ],
    [(d) => (perth(d).closures = [{ from: '' }]), ['Perth CBD is closed on a day that is not chosen yet.']],
    [
      (d) => (perth(d).openings = [{ from: '2026-12-13', hours: '10:00-16:00' }]),
      ['Perth CBD opens on Sunday 13 December 2026 from 10 am to 4 pm.'],
    ],
    [
      (d) =>
        (perth(d).openings = [
          {
            from: '2026-12-12',
            to: '2026-12-13',
            hours: ['10:00-12:00', '13:00-24:00'],
            reason: 'Christmas shopping',
          },
          { from: '', hours: '10:00-16:00' },
        ]),
      [
        'Perth CBD opens every day from Saturday 12 December 2026 to Sunday 13 December 2026, from 10 am to 12 pm and from 1 pm to midnight (Christmas shopping).',
        'Perth CBD opens on a day that is not chosen yet from 10 am to 4 pm.',
      ],
    ],
    [
      (d) => (perth(d).labels = { format: 'zpl', printer: 'Zebra by the packing bench' }),
      [
        'Labels at Perth CBD print as ZPL, for a label printer.',
        'Labels at Perth CBD print on Zebra by the packing bench.',
      ],
    ],
    [(d) => (perth(d).processing_minutes = 20), ['Perth CBD takes 20 minutes to pick and pack an order.']],
    [(d) => (perth(d).name = 'Perth'), ['Perth CBD is now called Perth.']],
    [(d) => d.stores.push({ ...perth(d), reference: 'geelong', name: 'Geelong' }), ['Geelong is added.']],
    [(d) => d.stores.splice(6, 1), ['Perth CBD is removed.']],
    [
      (d) => (d.carriers![0]!.services[0]!.price!.base_cents = 950),
      ['Swiftly NOW: “base price” changes from $8.90 to $9.50.'],
    ],
    [(d) => (d.brands[0]!.colour = '#123456'), ['Wattle & Co: “colour” changes from #17513f to #123456.']],
    [(d) => (d.brands[0]!.logo = LOGO), ['Customers of Wattle & Co see its logo instead of its name.']],
    [
      (d) => (d.usual_boxes = [{ name: 'Shoe box', length_cm: 34, width_cm: 22, height_cm: 13 }]),
      ['The box “Shoe box” is added.'],
    ],
    [
      (d) => (d.message_texts = { en: { sms: { delivered: 'Here. {{link}}' } } }),
      ['The SMS for “delivered” changes.'],
    ],
    [
      (d) => {
        const texts = { email: { booked: { subject: 'S', body: 'B' } }, tracking_page: { booked: 'Soon.' } }
        d.message_texts = { en: texts, vi: { sms: { link: '{{link}}' } } }
      },
      [
        'The email for “booked” changes.',
        'The tracking page’s sentence for “booked” changes.',
        'The SMS for “booking link” in Vietnamese changes.',
      ],
    ],
    [(d) => (d.own_carriers = true), ['The account: “the carriers are your own” changes from no to yes.']],
    [
      (d) => Object.assign(d.delivery_types.express!.timing.on_day!, { days: 0 }),
      [
        'Delivery type Express: deliveries arrive on the day of pickup instead of 1 business day after pickup.',
      ],
    ],
    [(d) => (d.delivery_types.express!.enabled = false), ['Delivery type Express is no longer offered.']],
    [
      (d) => (d.booking = { ...d.booking, order: { preferred: ['big_haul', 'swiftly'] } }),
      ['We try carriers in this order: Big Haul and Swiftly.'],
    ],
    [(d) => (d.booking = { ...d.booking, order: 'fastest' }), ['We try the fastest carrier first.']],
    [
      (d) => d.carriers!.push({ ...d.carriers![0]!, provider: 'newco', name: 'NewCo' }),
      ['NewCo is added.', 'NewCo NOW is added.', 'NewCo TODAY is added.'],
    ],
    [
      (d) => d.carriers!.reverse(),
      [
        'If services are otherwise equal, we try them in this order: Big Haul FREIGHT, Southern Parcels ROAD, Southern Parcels AIR, Swiftly NOW and Swiftly TODAY.',
      ],
    ],
    [
      (d) => Object.assign(d.carriers![1]!.services[0]!.price!.base_cents, { rest: 999 }),
      ['Southern Parcels ROAD: “base price everywhere else” changes from $19.50 to $9.99.'],
    ],
  ]
  for (const [change, expected] of rows)
    assert.deepEqual(
      sentencesOf((d) => void change(d)),
      expected,
    )
})

test('an extra opening or a closed day that goes is named', () => {
  const before = structuredClone(demo)
  before.stores[6]!.openings = [{ from: '2026-12-13', hours: '10:00-16:00' }]
  before.stores[6]!.closures = [{ from: '2026-12-24' }]
  assert.deepEqual(toPlanSentences(planAccount(before, demo), before, demo), [
    'Perth CBD no longer opens on Sunday 13 December 2026 from 10 am to 4 pm.',
    'Perth CBD is no longer closed on 24 December 2026.',
  ])
})

test('labels of a store change field by field', () => {
  const before = structuredClone(demo)
  before.stores[6]!.labels = { format: 'zpl', printer: 'Zebra' }
  const rows: [AccountDocumentInput['stores'][number]['labels'], string[]][] = [
    [{ printer: 'Zebra' }, ['Labels at Perth CBD print as PDF.']],
    [{ format: 'zpl', printer: 'Brother' }, ['Labels at Perth CBD print on Brother.']],
    [{ format: 'zpl' }, ['Labels at Perth CBD no longer have a named printer.']],
    [undefined, ['Labels at Perth CBD print as PDF.', 'Labels at Perth CBD no longer have a named printer.']],
  ]
  for (const [labels, expected] of rows) {
    const after = structuredClone(before)
    if (labels) after.stores[6]!.labels = labels
    else delete after.stores[6]!.labels
    assert.deepEqual(toPlanSentences(planAccount(before, after), before, after), expected)
  }
})

test('a logo or a box that changes or goes is named, and no image is printed', () => {
  const box = { name: 'Shoe box', length_cm: 34, width_cm: 22, height_cm: 13 }
  const before = structuredClone(demo)
  before.brands[0]!.logo = LOGO
  before.usual_boxes = [box, { ...box, name: 'Wine' }]
  const after = structuredClone(before)
  after.brands[0]!.logo = `${LOGO}AAAA`
  after.usual_boxes = [{ ...box, height_cm: 14 }]
  const plan = planAccount(before, after)
  assert.deepEqual(toPlanSentences(plan, before, after), [
    'The box “Wine” is removed.',
    'The box “Shoe box” is changed.',
    'Wattle & Co has a new logo.',
  ])
  assert.ok(plan.map(planText).includes('~ brand wattle-and-co: logo (image) → (image)'))
  assert.deepEqual(toPlanSentences(planAccount(before, demo), before, demo), [
    'The box “Shoe box” is removed.',
    'The box “Wine” is removed.',
    'Wattle & Co no longer has a logo. Customers see the brand’s name instead.',
  ])
})

test('a text that is reset is ours again; a change of a part is a change', () => {
  const own = { ...demo, message_texts: { en: { email: { booked: { subject: 'S', body: 'B' } } } } }
  const rows: [AccountDocumentInput['message_texts'], string][] = [
    [undefined, 'The email for “booked” goes back to our wording.'],
    [{ en: { email: {} } }, 'The email for “booked” goes back to our wording.'],
    [{ en: { email: { booked: { subject: 'S' } } } }, 'The email for “booked” changes.'],
  ]
  for (const [message_texts, expected] of rows) {
    const after = { ...demo, ...(message_texts && { message_texts }) }
    assert.deepEqual(toPlanSentences(planAccount(own, after), own, after), [expected])
  }
})

test('the provider of logins is named, and what people have to do', () => {
  const provider = { name: 'Acme', issuer: 'https://login.acme.example', client_id: 'drover' }
  const secret = { client_secret: { secret: 'openid-client-secret' } }
  const rows: [object | undefined, object | undefined, string[]][] = [
    [undefined, provider, ['People can log in with Acme.']],
    [provider, undefined, ['People can no longer log in with Acme.']],
    [
      provider,
      { ...provider, name: 'Globex' },
      ['Your login provider is now called Globex instead of Acme.'],
    ],
    [
      provider,
      { ...provider, issuer: 'https://id.acme.example' },
      [
        'People log in at https://id.acme.example instead of https://login.acme.example, and must link their login again.',
      ],
    ],
    [
      provider,
      { ...provider, client_id: 'x' },
      ['The client ID at your login provider is x instead of drover.'],
    ],
    [provider, { ...provider, ...secret }, ['We send the login provider the client secret that you saved.']],
    [
      { ...provider, ...secret },
      provider,
      [
        'We delete the client secret that you saved, and no longer send a client secret to the login provider.',
      ],
    ],
    [
      { ...provider, ...secret },
      undefined,
      ['People can no longer log in with Acme. We delete the client secret that you saved.'],
    ],
  ]
  for (const [from, to, expected] of rows) {
    for (const whole of [true, false]) {
      const [before, after] = [from, to].map((openid_connect) => ({
        ...demo,
        ...(whole && openid_connect === undefined
          ? {}
          : { sign_in: openid_connect ? { openid_connect } : {} }),
      })) as [AccountDocumentInput, AccountDocumentInput]
      assert.deepEqual(toPlanSentences(planAccount(before, after), before, after), expected)
    }
  }
})

test('the spending limit of assistants is in dollars, whether the document had the part or not', () => {
  const [forty, fifty] = [4_000, 5_000].map((spending_limit_cents_per_day) => ({
    spending_limit_cents_per_day,
  }))
  const none = { spending_limit_cents_per_day: null }
  type Part = AccountDocumentInput['assistants']
  const rows: [Part, Part, string[]][] = [
    [undefined, fifty, ['Each API client and each assistant may spend at most $50.00 a day through MCP.']],
    [none, fifty, ['Each API client and each assistant may spend at most $50.00 a day through MCP.']],
    [
      forty,
      fifty,
      ['Each API client and each assistant may spend at most $50.00 a day through MCP instead of $40.00.'],
    ],
    [fifty, {}, ['There is no limit on what API clients and assistants may spend through MCP.']],
    [undefined, none, []],
  ]
  for (const [from, to, expected] of rows) {
    const [before, after] = [from, to].map((assistants) => ({ ...demo, ...(assistants && { assistants }) }))
    assert.deepEqual(toPlanSentences(planAccount(before!, after!), before!, after!), expected)
  }
})
