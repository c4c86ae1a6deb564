import { freePort, type Shipped, shipped } from '../packaged-process.ts'
import { type CleanUps, temporaryHome } from './clean-ups.ts'

/** `drover start` as shipped, with a PostgreSQL of its own in a temporary folder. */
export async function startService(
  cleanUps: CleanUps,
  env: Readonly<Record<string, string>>,
): Promise<Shipped & { url: string }> {
  // Mails and links contain the service's address, so its port is chosen beforehand.
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const home = temporaryHome(cleanUps)
  const settings = { DROVER_HOME: home, PORT: port, PUBLIC_URL: url, DROVER_TRUSTED_PROXIES: '127.0.0.1' }
  return { ...(await shipped(cleanUps, 'start', { ...settings, ...env }, /(Ctrl-C stops it)/)), url }
}
