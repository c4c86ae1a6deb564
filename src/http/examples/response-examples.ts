import { readFileSync } from 'node:fs'

/** The recorded response of an example: its JSON, or what kind of text or file it is. */
export type ResponseExample = {
  status: number
  /** The JSON body; absent if the response is not JSON. */
  body?: unknown
  /** Fields are left out, because the response is long. */
  isCut?: true
  media?: string
  /** For example `10 to 100 kB`. */
  size?: string
}

/** What readers need to know of the recorded responses. */
export const ABOUT_RESPONSES =
  'Responses were recorded from these very commands, on the demo account. Ids, times, tokens, signatures and consignment numbers are then replaced by fixed ones, and each list is cut to two entries.'

const FILE = new URL('./responses.generated.json', import.meta.url)
/** Stands for the address of the installation. */
const BASE = '$BASE'

/**
 * The recorded responses of the examples by operationId. They are read from their file at each call, so that a process
 * whose documentation nobody opens never has them.
 */
export function readResponseExamples(publicUrl: string): ReadonlyMap<string, ResponseExample> {
  const { responses } = JSON.parse(readFileSync(FILE, 'utf8').replaceAll(BASE, publicUrl)) as {
    responses: Record<string, ResponseExample>
  }
  return new Map(Object.entries(responses))
}

/** JSON as people read it. */
export function toJsonText(body: unknown): string {
  return JSON.stringify(body, null, 2)
}

/** The sentence before a recorded response. */
export function describeResponse({ status, media, size, isCut }: ResponseExample): string {
  if (media) return `${status}, \`${media}\`, ${size}.`
  return `${status}, recorded in the demo${isCut ? '; long, so some fields are left out' : ''}.`
}
