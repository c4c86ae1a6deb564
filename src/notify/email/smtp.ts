import { Readable } from 'node:stream'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import { type Channel, type Outgoing, SEND_MS, type SendOutcome } from '../notifier.ts'

export type SmtpOptions = {
  /** `smtp[s]://user:password@host:port?from=orders@shop.example`; `requireTLS=true` insists on STARTTLS. */
  url: string
  /** The host of our own address, for senders and message ids if the URL has no `from`. */
  host: string
}

/**
 * Email by SMTP. Until the server has requested the message, nothing can have been sent, so a failure is a
 * no. After that only the server's own answer counts, and without one the outcome is unknown: SMTP accepts
 * duplicates without an error, so such a message is never sent again.
 */
export function smtpChannel({ url, host }: SmtpOptions): Channel {
  const server = new URL(url)
  const from = server.searchParams.get('from') ?? `no-reply@${host}`
  const secure = server.protocol === 'smtps:'
  const wantsTls = server.searchParams.get('requireTLS') === 'true'
  const auth = server.username
    ? { user: decodeURIComponent(server.username), pass: decodeURIComponent(server.password) }
    : null
  const connect = async () => {
    const { default: Connection } = await import('nodemailer/lib/smtp-connection')
    return new Connection({
      host: server.hostname.replace(/^\[|\]$/g, ''),
      port: Number(server.port) || (secure ? 465 : 587),
      secure,
      // Credentials are never sent in the clear over a network.
      requireTLS: !secure && (wantsTls || (auth !== null && !isLocal(server.hostname))),
      name: host,
      connectionTimeout: SEND_MS,
      greetingTimeout: SEND_MS,
      socketTimeout: SEND_MS,
    })
  }
  return {
    honoursIds: false,
    send: async (message) => {
      const mail = await compose(message, from).catch(() => null)
      return mail ? deliver(await connect(), auth, from, mail) : UNWRITABLE
    },
  }
}

const UNWRITABLE: SendOutcome = {
  kind: 'no',
  again: false,
  message: 'The message could not be written as an email.',
}

type Auth = { user: string; pass: string } | null
type Mail = { to: string; bytes: Buffer }

async function compose(
  { id, to, from: name, subject, body, attachments = [] }: Outgoing,
  from: string,
): Promise<Mail> {
  const domain = from.slice(from.lastIndexOf('@') + 1)
  // Imported at the first mail: most processes never send one.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const composer = new MailComposer({
    from: { name, address: from },
    to: { name: '', address: to },
    subject: subject ?? '',
    text: body,
    attachments: attachments.map(({ name: filename, mediaType, bytes }) => ({
      filename,
      contentType: mediaType,
      content: bytes,
    })),
    messageId: `<${id}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return { to, bytes: await composer.compile().build() }
}

function deliver(
  connection: SMTPConnection,
  auth: Auth,
  from: string,
  { to, bytes }: Mail,
): Promise<SendOutcome> {
  return new Promise((resolve) => {
    let asked = false
    const message = new Readable({
      // Read only after the server's 354 (go ahead).
      read() {
        asked = true
        this.push(bytes)
        this.push(null)
      },
    })
    const end = (outcome: SendOutcome): void => {
      clearTimeout(patience)
      resolve(outcome)
      if (outcome.kind === 'yes') connection.quit()
      else connection.close()
    }
    const fail = (error: unknown): void => end(outcomeOf(error, asked))
    const patience = setTimeout(() => fail(null), SEND_MS)

    const send = (): void =>
      connection.send({ from, to: [to] }, message, (error) => (error ? fail(error) : end({ kind: 'yes' })))
    connection.on('error', fail)
    connection.on('end', () => fail(null))
    connection.connect((error) => {
      if (error) fail(error)
      else if (auth) connection.login(auth, (refused) => (refused ? fail(refused) : send()))
      else send()
    })
  })
}

/** Leaves out the server's own text: it often repeats the address. */
function outcomeOf(error: unknown, asked: boolean): SendOutcome {
  const { responseCode, code = 'ETIMEDOUT' } = (error ?? {}) as { responseCode?: number; code?: string }
  // Error on our side of the conversation: SMTP can't carry the address that the customer gave.
  if (responseCode === undefined && code === 'EENVELOPE') return UNWRITABLE
  if (responseCode === undefined) {
    return asked
      ? { kind: 'unknown', message: 'The mail server did not say whether it accepted the message.' }
      : { kind: 'no', again: true, message: `The mail server cannot be reached (${code}).` }
  }
  // RFC 5321 section 4.2.1: 5yz is final, except for wrong credentials, which an operator can fix.
  const again = responseCode < 500 || responseCode === 530 || responseCode === 535
  return { kind: 'no', again, message: `The mail server answered ${responseCode}.` }
}

function isLocal(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}
