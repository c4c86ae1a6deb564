/** A program on the person's own machine receives the answer there (RFC 8252, 7.3). */
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

export const MAX_REDIRECT_URL = 500

type Rule = { isBroken(url: URL, text: string): boolean; message: string }

/** The first broken rule is the answer. */
const RULES: readonly Rule[] = [
  {
    isBroken: ({ protocol, hostname }) =>
      protocol !== 'https:' && !(protocol === 'http:' && LOOPBACK_HOSTS.has(hostname)),
    message: 'The URL must begin with https://, or with http://127.0.0.1 or http://localhost.',
  },
  {
    isBroken: ({ username, password }) => username !== '' || password !== '',
    message: 'The URL may not contain a user name or a password. Remove the part before the @.',
  },
  {
    isBroken: (_, text) => text.includes('#'),
    message: 'The URL may not contain a #. Remove it and everything after it.',
  },
  {
    isBroken: (_, text) => text.includes('*'),
    message: 'The URL may not contain a *. Enter every URL in full.',
  },
  {
    isBroken: ({ searchParams }) => ['code', 'state', 'iss', 'error'].some((name) => searchParams.has(name)),
    message: 'Drover adds code, state, iss and error to the URL. Remove these parameters.',
  },
  {
    // A browser normalises the URL (upper case, `..`, a default port), so the person would see a different URL from
    // the registered one.
    isBroken: ({ href, pathname, search }, text) =>
      text !== href && !(pathname === '/' && search === '' && `${text}/` === href),
    message:
      'Write the URL in its normal form: https:// and the host in lower case, no :443 or :80, and no `..`, `\\` or spaces.',
  },
]

/** Why a URL cannot receive an authorization code, as a sentence; null if it can. */
export function findRedirectUrlMistake(text: string): string | null {
  if (text.length > MAX_REDIRECT_URL) return `The URL may have at most ${MAX_REDIRECT_URL} characters.`
  if (!URL.canParse(text)) return 'This is not a URL. Copy it from the assistant’s own documentation.'
  const url = new URL(text)
  return RULES.find(({ isBroken }) => isBroken(url, text))?.message ?? null
}
