import type { Answer } from '../../contract/endpoint.ts'

/** A document that whoever asks keeps under this name. */
export function documentAnswer(media: string, name: string, body: Buffer): Answer {
  return {
    status: 200,
    headers: { 'content-type': media, 'content-disposition': `attachment; filename="${name}"` },
    body,
  }
}
