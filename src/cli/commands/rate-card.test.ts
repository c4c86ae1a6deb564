import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { testDatabase } from '../../../test/database.ts'
import { runProgram } from '../../../test/program.ts'
import { readRateCardSheet } from '../../domain/account/rate-card-sheet.ts'
import { applyAccount } from '../../operations/accounts/apply-account.ts'
import { exportRateCard, importRateCard } from '../../operations/accounts/rate-cards.ts'
import { newId } from '../../operations/new-id.ts'
import { readSheetFile, writeSheetFile } from '../sheet-file.ts'

const DEMO = new URL('../../../examples/acme-byoc.yaml', import.meta.url)

const BOB = {
  provider: 'bob',
  adapter: 'local_courier',
  name: 'Bob',
  settings: { email: 'jobs@bob.example' },
  services: [
    {
      service: 'VAN',
      carrier_code: 'VAN',
      delivery_type: 'flexible',
      timing: { on_day: { cut_off: '16:00', days: 0, from: '12:00', to: '20:00' } },
      price: { base_cents: 1_500 },
    },
  ],
}

const LIST = `kind,zone,postcodes,up_to_kg,price,per_extra_kg,name,when,percent
zone,metro,0800-0832 3000-3207,,,,,,
rate,metro,,5,9.50,,,,
rate,metro,,25,14.50,0.60,,,
surcharge,,,,,,Fuel,always,8.5
`

test('a rate card is imported from CSV, exported to XLSX and imported again; mistakes name their row', async (t) => {
  const { url, pool: db } = await testDatabase(t)
  const folder = await mkdtemp(join(tmpdir(), 'rate-card-'))
  t.after(() => rm(folder, { recursive: true }))
  const env = { DATABASE_URL: url, DROVER_SECRET_KEY: 'k'.repeat(43) }
  const drover = (...args: string[]) => runProgram(args, { cwd: folder, env })
  const which = ['--account', 'bobs-shop', '--carrier', 'bob', '--service', 'VAN']
  const bobs = { accountId: 'bobs-shop', provider: 'bob', service: 'VAN' }

  const document = parse(await readFile(DEMO, 'utf8'), { merge: true })
  await applyAccount({ db, newId }, { ...document, tenant_id: 'bobs-shop', carriers: [BOB] }, { by: 'test' })
  await assert.rejects(exportRateCard({ db }, bobs), /bob VAN has no rate card/)

  await writeFile(join(folder, 'list.csv'), LIST)
  await writeFile(join(folder, 'odd.csv'), LIST.replace('14.50', 'dear').replace('metro,,5', 'moon,,5'))
  const imported = await drover('rate-card', 'import', 'list.csv', ...which)
  assert.equal(imported.code, 0, imported.err)
  assert.match(imported.out, /Version 2 of bobs-shop is in use/)
  const [exported, odd] = await Promise.all([
    drover('rate-card', 'export', 'list.xlsx', ...which),
    drover('rate-card', 'import', 'odd.csv', ...which),
  ])
  assert.equal(exported.code, 0, exported.err)
  assert.equal(odd.code, 1)
  assert.match(odd.err, /^odd\.csv:4 {2}price {2}"dear" is not a number/m)

  const sheets = await readSheetFile(join(folder, 'list.xlsx'))
  assert.deepEqual(sheets[0]?.rows[1]?.cells.slice(0, 3), ['zone', 'metro', '0800-0832 3000-3207'])
  const { card } = readRateCardSheet(sheets)
  const again = await importRateCard({ db, newId }, bobs, card!, { by: 'test' })
  assert.deepEqual([again.version, again.changed], [2, false])
  await assert.rejects(exportRateCard({ db }, { ...bobs, provider: 'rob' }), /no carrier rob\. Carriers: bob/)
})

test('a spreadsheet keeps numbers and text as they were written', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'sheet-'))
  t.after(() => rm(folder, { recursive: true }))
  const rows = [
    ['0800', '9.50', 'a, "b"'],
    ['', 'ü', '=x'],
  ]
  const file = join(folder, 'x.xlsx')
  await writeSheetFile(file, rows)
  assert.deepEqual(
    (await readSheetFile(file))[0]?.rows.map(({ cells }) => [...cells]),
    rows,
  )
})
