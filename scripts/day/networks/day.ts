import type { CleanUps } from '../../../test/harness/clean-ups.ts'
import type { FoundManifest } from '../../../test/harness/hand-over.ts'
import { pages } from '../../../test/harness/http.ts'
import { SECRETS, toEvidence } from '../../../test/harness/networks.ts'
import { startService } from '../../../test/harness/service.ts'
import { DAY_FROM_MS } from '../plan.ts'
import type { DayOptions } from '../run-day.ts'
import { openShop } from '../shop.ts'
import type { DayDelivery } from '../verify-day.ts'
import { CONTRACT_SECRETS, networkCarriers } from './account.ts'
import { providerOf } from './contracts.ts'
import { startFleet } from './fleet.ts'
import { planNetworkDay } from './jobs.ts'
import { mailEntries, mailOrders } from './mail-entries.ts'
import type { Evidence } from './promises.ts'
import { runNetworks } from './run-networks.ts'
import { SEEDED_BUGS, type SeededBugName } from './seeded-bugs.ts'

/** Runs the day with the carriers' fakes, on a service of its own. */
export async function networkDay(
  cleanUps: CleanUps,
  seededBug: SeededBugName | null,
  { seed, count, operatorToken, env, onProgress }: DayOptions,
): Promise<Evidence> {
  const fleet = await startFleet(cleanUps, DAY_FROM_MS)
  const { url } = await startService(cleanUps, { ...env, SMTP_URL: fleet.smtpUrl })
  const additions = {
    document: { carriers: networkCarriers((name) => fleet.networks[name].url) },
    secrets: { ...SECRETS, ...CONTRACT_SECRETS },
  }
  const shop = await openShop(url, operatorToken, additions)
  await fleet.report(url, shop.accountId)
  if (seededBug) await SEEDED_BUGS[seededBug].seed(fleet.networks)
  const jobs = planNetworkDay(seed, count)
  const played = await runNetworks(shop, fleet, jobs, onProgress)
  await played.feed.read()
  const deliveries = await pages<DayDelivery>(shop.ask, '/deliveries')
  const manifests = await pages<FoundManifest>(shop.ask, '/manifests')
  const { mails, ...ledgers } = await fleet.ledgers()
  const { ledgerEntries, orders, endings } = toEvidence(ledgers, providerOf)
  return {
    jobs,
    played,
    deliveredAtMs: played.feed.deliveredAtMs,
    deliveries,
    manifests,
    ledgerEntries: [...ledgerEntries, ...mailEntries(mails)],
    orders: [...orders, ...mailOrders(mails)],
    endings,
    tracking: ledgers.auspost.filter(({ what, operation }) => what === 'request' && operation === 'track'),
  }
}
