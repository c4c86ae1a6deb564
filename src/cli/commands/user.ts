import { text } from 'node:stream/consumers'
import { Command, Option } from 'commander'
import pino from 'pino'
import { INSTALLATION, ROLES, type Role, type User } from '../../domain/people/user.ts'
import type { WriteAudit } from '../../operations/audit/audit.ts'
import { makeAccountDirectory } from '../../operations/directory/account-directory.ts'
import { newId } from '../../operations/new-id.ts'
import { changeUser } from '../../operations/people/change-user.ts'
import { resetSecondFactor } from '../../operations/people/second-factor.ts'
import type { LinkDeps } from '../../operations/people/user-links.ts'
import {
  addUser,
  findUserByEmail,
  getUserByEmail,
  inviteAgain,
  inviteUser,
  listUsers,
  resetPassword,
} from '../../operations/people/users.ts'
import { askSecret } from '../ask-secret.ts'
import type { CliDeps } from '../deps.ts'
import { commandRecord } from './record.ts'

const EXAMPLES = `
Roles: operator enters every account (created without --account), merchant_admin does everything in one account,
store_clerk does the day's work in the stores named by --store.

Examples:
  drover user invite ada@shop.example --account demo --role merchant_admin
  drover user invite cleo@shop.example --account demo --role store_clerk --store fitzroy
  drover user add olive@us.example --role operator --name "Olive" < password.txt
  drover user reset-password ada@shop.example --account demo
  drover user reset-second-factor ada@shop.example --account demo
  drover user disable cleo@shop.example --account demo`

type UserOptions = { account?: string; json?: true }
type NewUserOptions = UserOptions & { role?: Role; store?: string[] }
type UserDeps = LinkDeps & { accountId: string; record: WriteAudit; hasSmtp: boolean }

export function userCommand(deps: CliDeps): Command {
  const user = new Command('user')
    .description('Users: the people who may log in.')
    .addHelpText('after', EXAMPLES)

  /**
   * Runs a verb on the users of the account or the installation, under the login name of the person who runs
   * it.
   */
  const run = <T>(verb: string, { account }: UserOptions, use: (work: UserDeps) => Promise<T>): Promise<T> =>
    deps.withDatabase(async ({ db, secretKey, publicUrl, hasSmtp }) => {
      const accounts = makeAccountDirectory({ db, log: pino({ level: 'silent' }) })
      await accounts.refresh()
      const record = commandRecord(verb)
      const accountId = account ?? INSTALLATION
      return use({ db, secretKey, publicUrl, hasSmtp, accounts, newId, record, accountId })
    })

  withRole(user.command('invite <email>'))
    .description(
      'Invite a user. If they have not accepted yet, they get a new invitation, with the role and stores you name.',
    )
    .action((email: string, options: NewUserOptions) =>
      run('inviteUser', options, async (work) => {
        const known = await findUserByEmail(work, work.accountId, email)
        const access = {
          ...(options.role && { role: options.role }),
          ...(options.store && { storeReferences: options.store }),
        }
        if (known?.status === 'invited' && Object.keys(access).length > 0) {
          const changed = { change: access, by: '' }
          await changeUser(work, work.accountId, known.userId, changed, commandRecord('changeUser'))
        }
        const invited = known
          ? await inviteAgain(work, work.accountId, known.userId, commandRecord('inviteUserAgain'))
          : await inviteUser(work, work.accountId, { email, ...toRoleAndStores(options) }, work.record)
        printLink(options, work, invited, 'invitation_url', 'Good for 7 days and one use')
      }),
    )
  withRole(user.command('add <email>'))
    .description('Add a user who can log in at once. The password comes from standard input or a prompt.')
    .requiredOption('--name <name>', 'the name of the person')
    .action(async (email: string, options: NewUserOptions & { name: string }) => {
      const password = await readPassword()
      await run('addUser', options, async (work) => {
        const newUser = { email, name: options.name, password, ...toRoleAndStores(options) }
        print(options, await addUser(work, work.accountId, newUser, work.record))
      })
    })
  withAccount(user.command('list'))
    .description('List the users of an account; without --account, the operators.')
    .action((options: UserOptions) =>
      run('listUsers', options, async (work) => {
        const users = await listUsers(work, work.accountId)
        if (options.json) console.log(JSON.stringify(users.map(toJson)))
        else for (const one of users) console.log(line(one))
      }),
    )
  withAccount(user.command('disable <email>'))
    .description('Disable a user. All of their sessions end.')
    .action((email: string, options: UserOptions) => change(email, options, true))
  withAccount(user.command('enable <email>'))
    .description('Undo disable.')
    .action((email: string, options: UserOptions) => change(email, options, false))
  withAccount(user.command('reset-password <email>'))
    .description(
      'Print a password reset link. If a mail server is set, Drover also emails it to users of an account.',
    )
    .action((email: string, options: UserOptions) =>
      run('resetUserPassword', options, async (work) => {
        const { userId } = await getUserByEmail(work, work.accountId, email)
        const reset = await resetPassword(work, work.accountId, userId, work.record)
        printLink(options, work, reset, 'reset_url', 'Good for an hour and one use')
      }),
    )

  withAccount(user.command('reset-second-factor <email>'))
    .description(
      'For a user who has lost their authenticator app. They log in with the password alone until they set up another.',
    )
    .action((email: string, options: UserOptions) =>
      run('resetUserSecondFactor', options, async (work) => {
        const { userId } = await getUserByEmail(work, work.accountId, email)
        print(options, await resetSecondFactor(work, { accountId: work.accountId, userId }, '', work.record))
      }),
    )

  const change = (email: string, options: UserOptions, disabled: boolean) =>
    run('changeUser', options, async (work) => {
      const { userId } = await getUserByEmail(work, work.accountId, email)
      const changed = { change: { disabled }, by: '' }
      print(options, await changeUser(work, work.accountId, userId, changed, work.record))
    })
  return user
}

function withAccount(command: Command): Command {
  return command
    .option('--account <id>', 'the account; without it, the operators of the installation')
    .option('--json', 'print JSON')
}

function withRole(command: Command): Command {
  return withAccount(command)
    .addOption(new Option('--role <role>', 'the user’s role').choices(ROLES))
    .option(
      '--store <reference>',
      'a store of a clerk; repeat for more',
      (value: string, all: string[] = []) => [...all, value],
    )
}

function toRoleAndStores({ account, role, store }: NewUserOptions): {
  role: Role
  storeReferences: string[] | null
} {
  if (role === undefined && account !== undefined)
    throw new Error('Add --role: merchant_admin or store_clerk.')
  return { role: role ?? 'operator', storeReferences: store ?? null }
}

/** Never an argument: every user of the machine can see those. */
async function readPassword(): Promise<string> {
  if (process.stdin.isTTY) return askSecret('Password: ')
  return (await text(process.stdin)).replace(/\r?\n$/, '')
}

function toJson(user: User) {
  return {
    id: user.userId,
    email: user.email,
    name: user.name,
    role: user.role,
    store_references: user.storeReferences,
    status: user.status,
  }
}

function line({ email, name, role, storeReferences, status }: User): string {
  return `${email}  ${name ?? '–'}  ${role}  ${storeReferences?.join(' ') ?? 'all stores'}  ${status}`
}

function print({ json }: UserOptions, user: User): void {
  console.log(json ? JSON.stringify(toJson(user)) : line(user))
}

function printLink(
  { account, json }: UserOptions,
  { hasSmtp }: Pick<UserDeps, 'hasSmtp'>,
  { user, address }: { user: User; address: string },
  name: 'invitation_url' | 'reset_url',
  message: string,
): void {
  if (json) {
    console.log(JSON.stringify({ ...toJson(user), [name]: address }))
    return
  }
  const sent =
    account !== undefined && hasSmtp
      ? `Drover also mails it to ${user.email}.`
      : `${account === undefined ? 'Operators get no email' : 'No mail server is set (SMTP_URL), so Drover does not mail it'}: send this link to ${user.email} yourself.`
  console.log(`${line(user)}\n\n${address}\n\n${message}. ${sent}`)
}
