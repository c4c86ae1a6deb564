/** Longer headers are no browser's, and matching them costs more. */
const MAX_LENGTH = 512

/**
 * The browser's family and operating system, from its `User-Agent`: `Firefox on Windows`. Null if neither is
 * recognised. Versions are left out: a person recognises their browser without them. The library is loaded at the first
 * login.
 */
export async function browserName(userAgent: string | null): Promise<string | null> {
  if (userAgent === null || userAgent === '') return null
  const { default: Bowser } = await import('bowser')
  const { browser, os } = Bowser.parse(userAgent.slice(0, MAX_LENGTH))
  const known = [browser.name, os.name].filter((name) => name !== undefined && name !== '')
  return known.length === 0 ? null : known.join(' on ').slice(0, 80)
}
