import type { Waiting } from './waiting.ts'

/** What the driver can do about a step that was not taken, beside what the server said; null where that is all. */
export function remedyOf(
  { verb, body, photoDoes }: Pick<Waiting, 'verb' | 'body' | 'photoDoes'>,
  status: number,
  message: string,
): string | null {
  if (verb !== 'deliver') return null
  const { kind } = (body as { proof: { kind: string } }).proof
  // Only what a proof lacks can be made good at the door.
  if (status !== 422) return kind === 'photo' ? 'Keep your photo, and ring the store.' : 'Ring the store.'
  if (kind !== 'pin') return 'Record the proof again at the door, or ring the store.'
  const otherwise = photoDoes ? 'take a photo or have it signed for' : 'have it signed for'
  // The server says how many tries are left; where none is, no PIN helps any more.
  if (/ left\.$/.test(message)) return `Ask for the PIN again, or ${otherwise}.`
  return `${otherwise[0]?.toUpperCase()}${otherwise.slice(1)}.`
}
