import { type Picture, pictureOf } from './picture.ts'

type Image = { mediaType: string; bytes: Buffer; sha256: string }

/** Each proof is read several times in its first hours, and has up to 12 MB when unpacked. */
const MAX_PICTURES = 8

/** Least recently used cache: the pictures that were made last, by their image's digest. The newest is the last. */
const kept = new Map<string, Promise<Picture | null>>()
let running: Promise<unknown> = Promise.resolve()

/** An image for a PDF. Readers of one image share its decoding; different images are decoded one after another. */
export function keptPictureOf(image: Image): Promise<Picture | null> {
  const key = `${image.mediaType} ${image.sha256}`
  const known = kept.get(key)
  const picture = known ?? running.then(() => pictureOf(image))
  if (!known) running = picture
  kept.delete(key)
  kept.set(key, picture)
  if (kept.size > MAX_PICTURES) kept.delete(kept.keys().next().value as string)
  return picture
}
