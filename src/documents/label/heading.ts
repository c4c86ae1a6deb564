import type { Mark } from '../marks.ts'
import type { Label, Party } from './data.ts'
import { boxed, LEFT, set, WIDTH } from './place.ts'

/** Carrier and service on black, the delivery type in the largest letters of the band. */
export function bandMarks(label: Label, y: number): Mark[] {
  const service = `${label.serviceName} · ${label.serviceCode}`
  const white = { face: 'bold', white: true } as const
  const left = { x: LEFT + 18, width: 370, height: 44 }
  const right = { x: LEFT + 400, y: y + 26, width: 334, height: 90 }
  return [
    { kind: 'fill', x: LEFT, y, width: WIDTH, height: 104 },
    ...set({ ...left, y: y + 20 }, label.carrierName, { ...white, max: 42, min: 24 }).marks,
    ...set({ ...left, y: y + 62 }, service, { ...white, max: 36, min: 20 }).marks,
    ...set(right, label.deliveryType.toUpperCase(), { ...white, max: 76, align: 'right' }).marks,
  ]
}

/** What sets this label apart from an ordinary one; two stand side by side. */
export function bannerMarks(label: Label, y: number): Mark[] {
  const banners: string[] = []
  if (label.mode === 'customer_pickup') banners.push('PICKUP FROM CUSTOMER · RETURN TO STORE')
  if (label.sandbox) banners.push('TEST – DO NOT CARRY')
  const [width, step] = banners.length === 2 ? [372, 380] : [WIDTH, 0]
  return banners.flatMap((words, index) =>
    boxed({ x: LEFT + index * step, y, width, height: 48 }, words, { loud: index === 0, max: 36, min: 18 }),
  )
}

/** Where it is sorted to, readable across a dock. */
export function placeMarks({ suburb, state, postCode }: Party, y: number): Mark[] {
  const right = { x: 456, y: y + 8, width: 320, height: 90 }
  const code = set(right, `${state} ${postCode}`, { face: 'bold', max: 92, min: 30, align: 'right' })
  const left = { x: LEFT, y: y + 8, width: 420, height: 84 }
  const name = set(left, suburb.toUpperCase(), { face: 'bold', max: 92, min: 34, lines: 2 })
  return [...name.marks, ...code.marks]
}
