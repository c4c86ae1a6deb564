/** `account`: one account's, which its sources do not show because it is put together at run time. */
export type MarkedKind = 'account' | 'accounts' | 'installation'
export type Mark = { kind: MarkedKind; why: string }

const accounts = (why: string): Mark => ({ kind: 'accounts', why })
const installation = (why: string): Mark => ({ kind: 'installation', why })
const account = (why: string): Mark => ({ kind: 'account', why })

const SHARED = 'requests at the same moment share it; each row names its account'
const CLAIM = 'a worker claims due rows of the accounts that it is given'
const DRIVER = 'a driver may work for several accounts: those that use their own couriers are given'
const OPERATOR = "an operator's user is in the account `~`, and acts in this one"
const SEALED = 'the secret key is changed for the whole installation'
const SWEEP = 'deletes old rows of all accounts, in batches'
const FIGURES = 'metrics of the installation'
const CATALOG = 'reads the catalog of PostgreSQL'
const FOLLOW = 'each process follows the changes of all accounts'

/**
 * The statements that are not bound to one account by their text, with the reason. `npm run check -- statements` fails
 * if one is missing here, or no longer exists.
 */
export const MARKED: Record<string, Mark> = {
  // Created and changed together
  'create-deliveries': accounts(SHARED),
  'create-deliveries-on-node': accounts('the same on Citus, for the accounts of one node'),
  'find-nodes-of-accounts': installation('reads the catalog of Citus'),
  SPREAD: installation('reads the catalog of Citus'),
  'reserve-event-positions': installation('numbers from a sequence'),
  'find-deliveries': accounts(SHARED),
  'open-intents': accounts(SHARED),
  'queue-messages': accounts(SHARED),
  'begin-messages': accounts(SHARED),
  'settle-messages': accounts(SHARED),
  'take-sms-of-days': accounts(SHARED),
  'note-client-uses': accounts('a process records once a minute which API clients it saw'),
  changeManySql: accounts(SHARED),
  changeOneSql: account('its conditions are those of `changeManySql`, for one delivery'),

  // Due work
  claimSql: accounts(CLAIM),
  claimOfAccountSql: account('the claim on Citus: the name of the table is computed'),
  'claim-stores-to-tally': accounts(CLAIM),
  'publish-events': accounts('places the waiting events of the accounts that it is given into their feeds'),
  'find-due-accounts': installation('finds the accounts that have something due'),
  skipScan: installation('part of `find-due-accounts` and of both statements that find webhooks'),
  dueOnShard: installation('part of `find-due-accounts` on Citus'),
  'find-webhook-accounts': installation('finds the accounts that have webhooks to send'),
  'find-queued-webhook-accounts': installation(
    'finds the accounts that have webhooks or replays in the queue',
  ),
  'find-unpublished-accounts': installation('finds the accounts that have events to publish'),
  'move-feed-beyond-cursors': installation('after a restore, the feeds of all accounts move'),
  'list-connected-processes': installation(CATALOG),
  'map-deliveries-to-accounts': accounts(
    'after a restore, an operator compares a carrier’s list, and several accounts may share that carrier’s login',
  ),
  'find-highest-position': installation('the sequence of event positions is shared by all accounts'),

  // People
  'list-users-by-email': accounts('a login does not name its account: one address may have users in several'),
  'list-passkeys-by-credential': accounts('a login does not name its account'),
  'record-failed-login': accounts('a login does not name its account'),
  'record-failed-login-of-user': accounts(
    'a login does not name its account; `record-failed-login` on Citus',
  ),
  'revoke-clients-of-owner': accounts("an operator's API clients may be in every account"),
  'list-client-statuses': accounts(OPERATOR),
  listAuditRows: accounts(OPERATOR),
  listStoredSecrets: accounts(OPERATOR),

  // Drivers
  'list-accounts-of-driver': accounts(DRIVER),
  'set-driver-codes': accounts(DRIVER),
  'count-code-attempt': accounts(DRIVER),
  'exchange-driver-codes': accounts(DRIVER),
  'use-driver-session': accounts(DRIVER),
  'end-driver-session': accounts(DRIVER),
  'list-driver-jobs': accounts(DRIVER),
  findDriverJob: accounts(DRIVER),
  findEndedJob: accounts(DRIVER),
  'place-staff-courier': accounts(DRIVER),
  'has-delivery-proof': accounts(DRIVER),

  // Housekeeping
  purgeExpired: installation(SWEEP),
  purgeByAccount: installation(SWEEP),
  purgeOldAttempts: installation(SWEEP),
  purgeOldPositions: installation(SWEEP),
  'begin-retention-sweeps': installation('adds the accounts that no retention sweep has yet'),
  'list-retention-sweeps': installation('finds the accounts whose retention sweep is due'),
  'begin-insight-progress': installation('adds the stores that have no tally yet'),
  listEndpointsSealedOtherwise: installation(SEALED),
  listFactorsSealedOtherwise: installation(SEALED),

  // Metrics
  FIGURES: installation(FIGURES),
  due: installation(FIGURES),
  dueOnCitus: installation(FIGURES),
  'read-shared-state-figures': installation(FIGURES),
  'keep-state-figures': installation(FIGURES),

  // The installation itself
  'list-accounts': installation('an operator lists the accounts'),
  'list-account-heads': installation(FOLLOW),
  'read-accounts-digest': installation(FOLLOW),
  SCHEMA_MIGRATIONS: installation('migrations change the whole installation'),
  listPending: installation('migrations change the whole installation'),
  apply: installation('migrations change the whole installation'),
  distributeTables: installation('`drover migrate --distribute`'),
  findCitus: installation(CATALOG),
  isDistributed: installation(CATALOG),
  'list-accounts-to-archive': installation('`drover archive`'),
  isPartitioned: installation(CATALOG),
  prepare: installation('`drover migrate --partition`'),
  ownSequence: installation('`drover migrate --partition`'),
  listIndexes: installation(CATALOG),
  listForeignKeys: installation(CATALOG),
  findPartitioned: installation(CATALOG),
  listPartitions: installation(CATALOG),
  createMonth: installation(
    'a partition has rows of every account; its rows come from the default partition',
  ),
  copySettings: installation(CATALOG),
  isEmpty: installation('a partition is dropped once no account has rows there'),
  FUNCTIONS: installation(CATALOG),
  TABLES: installation(CATALOG),
  superuserAt: installation(CATALOG),
  firstSql: installation('makes the role and the database of the embedded PostgreSQL'),

  // drover doctor
  checkServer: installation(CATALOG),
  checkSchema: installation('compares the migrations with the files'),
  checkFeed: installation('finds accounts whose events wait too long'),
  checkPooler: installation(CATALOG),
  grouped: installation('counts stuck work by account'),
}
