import type { Logger } from 'pino'
import { Counter, collectDefaultMetrics, Registry } from 'prom-client'
import { accountCarriers, type BreakerOf } from '../carriers/account-carriers.ts'
import { type SandboxState, sandboxState } from '../carriers/sandbox/sandbox-state.ts'
import { type Outbound, outbound } from '../carriers/wire/http-send.ts'
import type { Config } from '../config.ts'
import { smtpChannel } from '../notify/email/smtp.ts'
import type { Notifier } from '../notify/notifier.ts'
import { smsGateway } from '../notify/sms/gateway.ts'
import { webhookPost } from '../notify/webhook-post.ts'
import { processTraces } from '../observability/process-traces.ts'
import { registerReadReplicaMetrics } from '../observability/read-replica-metrics.ts'
import { registerStateMetrics } from '../observability/state-metrics.ts'
import { tracedNotifier, tracedWebhooks } from '../observability/traced-outbound.ts'
import type { Tracer } from '../observability/tracing/span.ts'
import {
  carrierMetrics,
  countedNotifier,
  countedWebhooks,
  registerConnectionMetrics,
  registerWorkMetrics,
} from '../observability/work-metrics.ts'
import { recordOutage } from '../operations/carriers/carrier-outages.ts'
import { sharedTokenCache } from '../operations/carriers/shared-token-cache.ts'
import { noneInFlight } from '../operations/concurrency/in-flight.ts'
import { pacedQueue } from '../operations/concurrency/paced-queue.ts'
import { eraseOld } from '../operations/deliveries/erase-old.ts'
import type { Deps } from '../operations/deps.ts'
import { carrierNamed, makeAccountDirectory } from '../operations/directory/account-directory.ts'
import { clientUses } from '../operations/directory/client-uses.ts'
import { publishMarks } from '../operations/events/publish-committed.ts'
import { tallyInsightDays } from '../operations/insights/tally-insight-days.ts'
import { LEASE_MS, NEEDED_MS } from '../operations/leases/claim.ts'
import { makeDueAccounts } from '../operations/leases/due-accounts.ts'
import { courierMailGateway } from '../operations/mail-couriers/courier-mail-gateway.ts'
import { newId } from '../operations/new-id.ts'
import { makeSealer } from '../operations/secrets/seal.ts'
import { openIdClient } from '../outbound/openid-client.ts'
import { publicFetch } from '../outbound/public-fetch.ts'
import { purgeOldAllocationJobs } from '../store/allocation/allocation-jobs.ts'
import { purgeOldPositions } from '../store/carriers/courier-positions.ts'
import { batchedCreate } from '../store/creates/batched-create.ts'
import { type DatabaseChannel, databaseChannel } from '../store/db/database-channel.ts'
import { engineOf, findEngine } from '../store/db/engine.ts'
import { listen } from '../store/db/listen.ts'
import { makePool } from '../store/db/pool.ts'
import { type ReadReplica, readReplica } from '../store/db/read-replica.ts'
import { batchedFind } from '../store/deliveries/deliveries.ts'
import { purgeOldKeys } from '../store/deliveries/idempotency.ts'
import { readSharedStateFigures } from '../store/housekeeping/state-figures.ts'
import { purgeOldSmsDays } from '../store/messages/sms-days.ts'
import { purgeOldDriverAccess } from '../store/own-couriers/driver-access.ts'
import { maintainPartitions } from '../store/partitions/monthly-partitions.ts'
import { purgeOldMcpCommits } from '../store/people/mcp-commits.ts'
import { purgeOldLogins } from '../store/people/user-sessions.ts'
import { sandboxStore } from '../store/sandbox/sandbox.ts'
import { purgeOldAttempts } from '../store/webhooks/webhook-attempts.ts'
import { startHousekeeping } from '../work/housekeeping.ts'
import { makeRunner, type Runner } from '../work/runner.ts'
import { wakeUp } from '../work/wake-up.ts'
import { addSources } from './due-work-sources.ts'

/**
 * Everything in one process except its HTTP server: the dependencies of operations, and the runner of due
 * work.
 */
export type App = {
  deps: Deps
  /** The other processes of this installation. */
  peers: DatabaseChannel
  /** Null: there is none. */
  readReplica: ReadReplica | null
  runner: Runner
  registry: Registry
  /** Null: tracing is off. */
  tracer: Tracer | null
  /** Loads the accounts and subscribes to changes; with `work`, also starts the runner. */
  start(options: { work: boolean }): Promise<void>
  /** Starts the runner. */
  work(): void
  /** Claims no more rows, and waits for the rows in flight. */
  rest(): Promise<void>
  stop(): Promise<void>
}

export type AppOptions = {
  config: Pick<Config, 'secretKey' | 'publicUrl'> &
    Partial<
      Pick<
        Config,
        | 'allowPrivateWebhooks'
        | 'smtpUrl'
        | 'smsUrl'
        | 'oldSecretKeys'
        | 'live'
        | 'traces'
        | 'databaseDirectUrl'
      >
    >
  databaseUrl: string
  /** A read replica of it. */
  databaseReadUrl?: string | null
  /** Application name of this process in the database's list of connections. */
  name: string
  log: Logger
  /** Lease of a claimed row: if its worker crashes, another worker may claim the row after this. */
  leaseMs?: number
  /** How long the runner sleeps without a wake-up, in milliseconds. */
  pollMs?: number
  /** Time-out for a database connection, in milliseconds. */
  connectMs?: number
  /** See `Deps`. */
  passwordLogN?: number
  /** The simulated carriers; by default they run in this process. */
  sandbox?: SandboxState
}

const WORK_CHANNEL = 'drover_work'
const PEERS_CHANNEL = 'drover_peers'
const WORK_GRACE_MS = 8_000
/** Time to export the remaining spans; the collector may be unreachable. */
const TRACES_GRACE_MS = 1_000
const CONNECTIONS = 20

/** Wires one process against a migrated database; nothing runs before `start`. */
export function composeApp(options: AppOptions): App {
  const { config, databaseUrl, name, log, leaseMs = LEASE_MS } = options
  if (leaseMs <= NEEDED_MS) throw new Error(`A lease of ${leaseMs} ms leaves no time to call a carrier.`)
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const statements = new Counter({
    name: 'drover_database_statements_total',
    help: 'Statements sent to the database, by the name they are prepared under.',
    labelNames: ['statement'],
    registers: [registry],
  })
  const connect = (url: string, role: 'primary' | 'standby') =>
    makePool(url, {
      role,
      directUrl: config.databaseDirectUrl,
      max: CONNECTIONS,
      applicationName: `drover ${name}`,
      connectMs: options.connectMs,
      onError: (error) => log.warn({ err: error }, 'a database connection was lost'),
      onStatement: (statement) => statements.inc({ statement }),
    })
  const db = connect(databaseUrl, 'primary')
  const { databaseReadUrl } = options
  const replica = databaseReadUrl
    ? readReplica({ primary: db, replica: connect(databaseReadUrl, 'standby'), log })
    : null
  const tracing = config.traces ? processTraces(config.traces, { role: name, registry, log }) : null
  const tracer = tracing?.tracer ?? null
  const sealer = makeSealer(config.secretKey, config.oldSecretKeys)
  const accounts = makeAccountDirectory({ db, log, sealer, hasSmtp: Boolean(config.smtpUrl) })
  const uses = clientUses({ db, log })
  const { nowMs } = accounts
  const runner = makeRunner(log, options.pollMs)
  const allowPrivateWebhooks = config.allowPrivateWebhooks ?? false
  // Carrier fakes run on the developer's own machine; a live process never calls them.
  const carriersOut = outbound({ allowLoopback: !config.live })
  const webhooks = webhookPost({ allowPrivate: allowPrivateWebhooks })
  const identities = publicFetch({ allowLoopback: !config.live })
  const channels = notifierOf(config)
  const servers = { sms: config.smsUrl ?? null, email: config.smtpUrl ?? null }
  const creates = pacedQueue(batchedCreate(db))
  const carrierParts: DraftCarrierParts = {
    sandbox: options.sandbox ?? sandboxState({ store: sandboxStore(db), nowMs, secretKey: config.secretKey }),
    secretKey: config.secretKey,
    outbound: carriersOut,
    tracer: tracer ?? undefined,
    mailPortOf: (account, carrier) => courierMailGateway(() => deps, account, carrier),
  }
  const deps: Deps = {
    db,
    accounts,
    inFlight: noneInFlight(),
    dueAccounts: makeDueAccounts({ db, accounts }),
    clientUsed: uses.note,
    draftCarrierOf: draftCarrierResolver(carrierParts),
    carrierOf: carrierResolver({
      ...carrierParts,
      registry,
      tokensOf: sharedTokenCache({ db, sealer, log }),
      recordOutage: ({ accountId, provider }) =>
        recordOutage(deps, accountId, provider).catch((error: unknown) =>
          log.warn({ err: error, accountId, provider }, 'a carrier outage could not be recorded'),
        ),
    }),
    createDelivery: creates.work,
    createLine: creates,
    findDelivery: batchedFind(db),
    newId,
    publishMarks: publishMarks(),
    wake: wakeUp(
      () => runner.wake(),
      () => db.query({ name: 'tell-of-work', text: 'select pg_notify($1, $2)', values: [WORK_CHANNEL, ''] }),
    ),
    leaseMs,
    notifier: countedNotifier(tracer ? tracedNotifier(channels, tracer, servers) : channels, registry),
    postWebhook: countedWebhooks(tracer ? tracedWebhooks(webhooks.post, tracer) : webhooks.post, registry),
    allowPrivateWebhooks,
    openIdClient: openIdClient(identities.call),
    live: config.live ?? false,
    log,
    sealer,
    secretKey: config.secretKey,
    ...(options.passwordLogN ? { passwordLogN: options.passwordLogN } : {}),
    publicUrl: config.publicUrl,
  }
  addSources(runner, deps, nowMs, tracer)
  registerWorkMetrics(runner, registry)
  registerConnectionMetrics(db, registry)
  if (replica) registerReadReplicaMetrics(replica, registry)
  const logMetricsFailure = (error: unknown): void =>
    log.error({ err: error }, 'could not compute the state metrics')
  registerStateMetrics(registry, () => readSharedStateFigures(db, logMetricsFailure))

  const peers = databaseChannel(db, PEERS_CHANNEL)
  let unlisten = async (): Promise<void> => {}
  let leaveHouse = (): void => {}
  const work = (): void => {
    unlisten = listen(db, WORK_CHANNEL, () => runner.wake())
    runner.start()
    leaveHouse = startHousekeeping(
      [
        { name: 'old idempotency keys', share: () => purgeOldKeys(db) },
        { name: 'old webhook attempts', share: () => purgeOldAttempts(db) },
        { name: 'old driver sessions', share: () => purgeOldDriverAccess(db) },
        { name: 'old courier positions', share: () => purgeOldPositions(db) },
        { name: 'old logins', share: () => purgeOldLogins(db) },
        { name: 'old MCP commits', share: () => purgeOldMcpCommits(db) },
        { name: 'old daily SMS counts', share: () => purgeOldSmsDays(db) },
        { name: 'old allocation jobs', share: () => purgeOldAllocationJobs(db) },
        { name: 'what is past its retention', share: () => eraseOld(deps) },
        { name: 'monthly partitions', share: () => maintainPartitions(db) },
        ...(engineOf(db) === 'citus'
          ? []
          : [{ name: 'past days of insights', share: () => tallyInsightDays(deps) }]),
      ],
      log,
    )
  }
  let resting: Promise<void> | null = null
  const rest = (): Promise<void> => {
    leaveHouse()
    resting ??= runner.stop(WORK_GRACE_MS)
    return resting
  }
  return {
    deps,
    peers,
    readReplica: replica,
    runner,
    registry,
    tracer,
    async start(options) {
      // Before the process serves requests: loaded with the first carrier request, it would block all other requests.
      if (config.live) await carriersOut.load()
      await findEngine(db)
      await accounts.start()
      if (options.work) work()
    },
    work,
    rest,
    async stop() {
      await rest()
      uses.stop()
      await webhooks.close()
      await carriersOut.close()
      await identities.close()
      await unlisten()
      await peers.stop()
      await accounts.stop()
      await replica?.stop()
      await db.end()
      await tracing?.close(TRACES_GRACE_MS)
    },
  }
}

type CarrierResolverParts = {
  sandbox: SandboxState
  secretKey: string
  registry: Registry
  outbound: Outbound
  tracer: Tracer | undefined
  tokensOf: ReturnType<typeof sharedTokenCache>
  mailPortOf: Parameters<typeof accountCarriers>[0]['mailPortOf']
  /** Called when the circuit breaker for a carrier opens. */
  recordOutage(carrier: BreakerOf): void
}

type DraftCarrierParts = Omit<CarrierResolverParts, 'registry' | 'tokensOf' | 'recordOutage'>

/** Builds a carrier for one check; its tokens and failures are not shared with the carriers in use. */
function draftCarrierResolver(parts: DraftCarrierParts): Deps['draftCarrierOf'] {
  return ({ account, secretOf }, carrier) =>
    accountCarriers({ ...parts, wallMs: Date.now, report() {} })(account, carrier, secretOf)
}

/** Resolves an account's provider key to its carrier. */
function carrierResolver({ registry, recordOutage, ...given }: CarrierResolverParts): Deps['carrierOf'] {
  const metrics = carrierMetrics(registry)
  const carrierOf = accountCarriers({
    ...given,
    wallMs: Date.now,
    report: metrics.report,
    breaker(carrier, open) {
      metrics.breaker(carrier, open)
      if (open) recordOutage(carrier)
    },
  })
  return (entry, provider) => {
    const carrier = carrierNamed(entry, provider)
    return carrier && carrierOf(entry.account, carrier, entry.secretOf)
  }
}

/** The configured channels to customers. */
function notifierOf({ smtpUrl, smsUrl, publicUrl }: AppOptions['config']): Notifier {
  return {
    sms: smsUrl ? smsGateway(smsUrl) : null,
    email: smtpUrl ? smtpChannel({ url: smtpUrl, host: new URL(publicUrl).hostname }) : null,
  }
}
