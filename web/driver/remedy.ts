import { photoOf, type Waiting } from './waiting.ts'

/** What the driver can do about a rejected step, in addition to the server's message; null if nothing. */
export function remedyOf(
  { verb, body, photoDoes }: Pick<Waiting, 'verb' | 'body' | 'photoDoes'>,
  status: number,
  message: string,
): string | null {
  if (status === 404) return OTHER_BUSINESS
  if (verb !== 'deliver') return photoOf({ body }) === null ? null : SAVE_PHOTO
  const { kind } = (body as { proof: { kind: string } }).proof
  // At the door the driver can only add what the proof lacks.
  if (status !== 422) return kind === 'photo' ? SAVE_PHOTO : 'Ring the store.'
  if (kind !== 'pin') return 'Record the proof again at the door, or ring the store.'
  const otherwise = photoDoes ? 'take a photo or have it signed for' : 'have it signed for'
  // The server says how many attempts are left; after the last one no PIN is accepted.
  if (/ left\.$/.test(message)) return `Ask for the PIN again, or ${otherwise}.`
  return `${otherwise[0]?.toUpperCase()}${otherwise.slice(1)}.`
}

const SAVE_PHOTO = 'Save your photo, and ring the store.'
const OTHER_BUSINESS =
  'Ring the store. If the job is for another business, add that business, and we’ll send this again.'
