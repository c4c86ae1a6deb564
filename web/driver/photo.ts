/** The longer side of a photo as it is sent: enough to see a parcel at a door, at a few hundred kB. */
const LONGEST_PX = 1_600
const QUALITY = 0.8

/** A photo of the phone's camera, scaled down: a JPEG as base64 and as a preview URL. */
export async function smallPhoto(file: Blob): Promise<{ base64: string; url: string }> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' })
  const scale = Math.min(1, LONGEST_PX / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(bitmap.width * scale))
  canvas.height = Math.max(1, Math.round(bitmap.height * scale))
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  bitmap.close()
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', QUALITY))
  if (!blob) throw new Error('The photo could not be read.')
  return { base64: await base64Of(blob), url: URL.createObjectURL(blob) }
}

async function base64Of(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  let text = ''
  // In pieces: a call accepts a limited number of arguments.
  for (let at = 0; at < bytes.length; at += 8_192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  return btoa(text)
}
