/** A running service with the demo accounts, its document in a file, and a folder to work in. */
export type Try = { url: string; document: string; folder: string }
/** Returns what is wrong; empty if all is well. */
export type Part = (attempt: Try) => Promise<string>

/** A token of the demo's API client. */
export async function requestDemoToken(url: string): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'demo-client',
    client_secret: 'demo-secret',
  })
  const response = await fetch(`${url}/demo/auth/token`, { method: 'POST', body })
  return ((await response.json()) as { access_token: string }).access_token
}

/** The expected output of each program for the same calls. */
const EXPECTED_OUTPUT = {
  token: 'Bearer',
  quoted: true,
  one_delivery: true,
  read: true,
  listed: true,
  label: '%PDF',
  error: 'invalid_request',
  cancelled: 'cancelled',
}

/** What is wrong with the output of a program, whose last line is what it has done. */
export function judged(output: string): string {
  const line = output.trim().split('\n').at(-1) ?? ''
  return line === JSON.stringify(EXPECTED_OUTPUT)
    ? ''
    : `It printed ${line}, not ${JSON.stringify(EXPECTED_OUTPUT)}.`
}
