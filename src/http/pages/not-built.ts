/** How often this page reloads, until the real page is built. */
const RELOAD_S = 3

const WORDS = [
  'The pages are still being built; this takes half a minute after a first start.',
  'If they stay away: npm run build',
]

const PAGE = `<!doctype html>
<html lang="en-AU">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${RELOAD_S}">
<title>Drover is building its pages</title>
<h1>Drover is building its pages</h1>
<p>This takes half a minute after a first start. The page opens by itself when it is ready.</p>
<p>If it does not open, run: <code>npm run build</code></p>
</html>
`

/**
 * The 503 while the pages are built at a first start: browsers get a page that reloads itself, other clients a
 * sentence.
 */
export function notBuiltAnswer(isPage: boolean): { headers: Record<string, string>; body: string } {
  const headers = { 'cache-control': 'no-store', 'retry-after': `${RELOAD_S}`, vary: 'accept' }
  if (!isPage) {
    return {
      headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' },
      body: `${WORDS.join(' ')}\n`,
    }
  }
  const policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  return {
    headers: { ...headers, 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
    body: PAGE,
  }
}
