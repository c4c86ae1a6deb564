import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleAccount } from '../../../test/demo-account.ts'
import { defined } from '../../../test/requests.ts'
import type { DangerousGoodsInput } from '../delivery/request.ts'
import { resolveDangerousGoods } from './resolve.ts'

const { dangerousGoods: definitions } = exampleAccount('demo-account')

test('a definition alone sets every field', () => {
  assert.deepEqual(goods('perfumery'), {
    definition: 'perfumery',
    unNumber: 'UN1266',
    technicalName: 'Perfumery products',
    classDivision: '3',
    subsidiaryRisk: null,
    packingGroup: 'II',
    transportableByAir: false,
    netWeightKg: null,
    outerPackagingType: 'carton',
    outerPackagingQuantity: null,
    declaration: null,
  })
})

test('an override replaces only its own field; numbers are formatted as they are printed', () => {
  const cases: [Partial<DangerousGoodsInput>, object][] = [
    [{ unNumber: 3481 }, { unNumber: 'UN3481' }],
    [{ unNumber: 4 }, { unNumber: 'UN0004' }],
    [{ classDivision: 5.2 }, { classDivision: '5.2' }],
    [{ classDivision: 9 }, { classDivision: '9' }],
    [{ subsidiaryRisk: 6.1 }, { subsidiaryRisk: '6.1' }],
    [{ packingGroup: 'III' }, { packingGroup: 'III' }],
    [{ transportableByAir: true }, { transportableByAir: true }],
    [{ technicalName: 'Eau de vie' }, { technicalName: 'Eau de vie' }],
    [{ netWeightKg: 0.5 }, { netWeightKg: 0.5 }],
    [
      { outerPackagingType: 'jiffy', outerPackagingQuantity: 2 },
      { outerPackagingType: 'jiffy', outerPackagingQuantity: 2 },
    ],
    [{ declaration: 'DG-7' }, { declaration: 'DG-7' }],
  ]
  for (const [overrides, expected] of cases) {
    assert.deepEqual(goods('perfumery', overrides), { ...goods('perfumery'), ...expected })
  }
})

test('an override may be false', () => {
  assert.equal(goods('lithium_batteries_equipment').transportableByAir, true)
  assert.equal(goods('lithium_batteries_equipment', { transportableByAir: false }).transportableByAir, false)
})

test('a definition’s text, such as 1.4S, applies unless it is overridden', () => {
  const flares = new Map([
    ['flares', { ...definitions.get('aerosols')!, name: 'flares', classDivision: '1.4S' }],
  ])
  const resolved = resolveDangerousGoods(flares, defined('flares', { unNumber: 404 }), 'x')
  assert.ok('goods' in resolved)
  assert.deepEqual([resolved.goods.unNumber, resolved.goods.classDivision], ['UN0404', '1.4S'])
})

test('an unknown definition is reported with the known ones, beside every invalid number', () => {
  const odd = defined('perfumry', { unNumber: 12345, classDivision: 2.75, subsidiaryRisk: 12 })
  const resolved = resolveDangerousGoods(definitions, odd, 'parcels[0].dangerous_goods')
  assert.ok('issues' in resolved)
  assert.deepEqual(resolved.issues.map(({ field, issue }) => [field, issue]).sort(), [
    ['parcels[0].dangerous_goods.class_division', 'invalid_value'],
    ['parcels[0].dangerous_goods.dangerous_goods_definition', 'unknown_definition'],
    ['parcels[0].dangerous_goods.subsidiary_risk', 'invalid_value'],
    ['parcels[0].dangerous_goods.un_number', 'invalid_value'],
  ])
  const unknown = resolved.issues.find(({ issue }) => issue === 'unknown_definition')
  assert.match(
    unknown?.message ?? '',
    /Known names: lithium_batteries_equipment, perfumery.*Did you mean "perfumery"\?/,
  )
})

function goods(definition: string, overrides: Partial<DangerousGoodsInput> = {}) {
  const resolved = resolveDangerousGoods(definitions, defined(definition, overrides), 'dangerous_goods')
  assert.ok('goods' in resolved)
  return resolved.goods
}
