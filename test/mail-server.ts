import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { SMTPServer } from 'smtp-server'

export type Mail = { from: string; to: string[]; raw: string; body: string; header(name: string): string }
/** What the server does with a mail: accept it, reject it, or hang up before or after storing it. */
export type MailFate = 'take' | 'later' | 'refuse' | 'lose' | 'keep-and-hang-up'

export type MailServer = { url: string; mails: Mail[]; fate: MailFate; stop(): Promise<void> }

/** A mail server of one test. */
export async function mailServer(t: TestContext): Promise<MailServer> {
  const running = await startMailServer()
  t.after(() => running.stop())
  return running
}

/** An SMTP server on a port of this machine; `fateOf` decides about each mail, otherwise `fate`. */
export async function startMailServer(fateOf?: () => MailFate): Promise<MailServer> {
  const mails: Mail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, session, answer) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const kept = {
          ...parsed(Buffer.concat(chunks).toString()),
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
        }
        const fate = fateOf?.() ?? running.fate
        if (fate === 'take' || fate === 'keep-and-hang-up') mails.push(kept)
        if (fate === 'take') return answer()
        if (fate === 'later') return answer(replying(451))
        if (fate === 'refuse') return answer(replying(554))
        for (const connection of server.connections)
          if (connection.id === session.id) connection._socket.destroy()
      })
    },
  })
  server.on('error', () => {})
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const running: MailServer = {
    url: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}?from=orders@wattle.example`,
    mails,
    fate: 'take',
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return running
}

function parsed(raw: string) {
  const cut = raw.indexOf('\r\n\r\n')
  const head = raw.slice(0, cut).replace(/\r\n[ \t]+/g, ' ')
  const header = (name: string): string => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim() ?? ''
  const quoted = header('content-transfer-encoding') === 'quoted-printable'
  const text = raw.slice(cut + 4)
  return { raw, header, body: quoted ? unquoted(text) : text }
}

function unquoted(text: string): string {
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

function replying(responseCode: number): Error {
  return Object.assign(new Error('Rejected by the test.'), { responseCode })
}
