import type { Label, LabelArticle } from './data.ts'

/** `Tue 24 Nov` from an ISO date or date-time. */
export function dayWords(iso: string): string {
  const day = new Date(`${iso.slice(0, 10)}T00:00:00Z`)
  return `${DAYS[day.getUTCDay()]} ${day.getUTCDate()} ${MONTHS[day.getUTCMonth()]}`
}

/** `2.4 kg, 30 × 20 × 15 cm`: rounded up to 10 g and 1 mm. */
export function sizeWords({ weightKg, lengthCm, widthCm, heightCm }: LabelArticle): string {
  const [length, width, height] = [lengthCm, widthCm, heightCm].map((cm) => upTo(cm, 10))
  return `${upTo(weightKg, 100)} kg, ${length} × ${width} × ${height} cm`
}

/** `UN1266`, with or without the prefix in the input. */
export function unWords(unNumber: string): string {
  return `UN${unNumber.replace(/^UN\s*/i, '')}`
}

/** An Australian number as dialled in Australia, `0491 570 156` or `03 9000 0000`; any other unchanged. */
export function phoneWords(phone: string): string {
  const [, digits] = /^\+61(\d{9})$/.exec(phone) ?? []
  if (digits === undefined) return phone
  const groups = digits.startsWith('4') ? /(\d{3})(\d{3})(\d{3})/ : /(\d)(\d{4})(\d{4})/
  return digits.replace(groups, '0$1 $2 $3')
}

/** What the driver must do at the handover, the most important first; `loud` ones are printed white on black. */
export function doorDuties(label: Label): { words: string; loud: boolean; why: string | null }[] {
  const duties = []
  if (label.idCheckRequired) duties.push({ words: 'ID CHECK 18+', loud: true, why: null })
  if (label.signatureRequired) duties.push({ words: 'SIGNATURE REQUIRED', loud: true, why: null })
  const refused = label.authorityToLeaveRefusedBecause
  if (refused !== null) duties.push({ words: 'DO NOT LEAVE', loud: false, why: refused })
  else if (label.authorityToLeave) duties.push({ words: 'AUTHORITY TO LEAVE', loud: false, why: null })
  else duties.push({ words: 'NO AUTHORITY TO LEAVE', loud: false, why: null })
  return duties
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Rounds up to the given fraction of one; ignores float errors in the tenth decimal. */
function upTo(value: number, parts: number): number {
  return Math.ceil(value * parts - 1e-6) / parts
}
