/** An attachment of a mail, or its text. */
export type MailPart = { name: string | null; text: string }

/** The decoded parts of a mail; a mail without parts is one part. Enough of MIME for mail from our own sender. */
export function partsOfMail(raw: string): MailPart[] {
  const { head, body } = cut(raw)
  const boundary = /boundary="?([^"\r\n;]+)"?/i.exec(head)?.[1]
  if (boundary === undefined) return [{ name: nameOf(head), text: decoded(head, body) }]
  return body
    .split(`--${boundary}`)
    .slice(1, -1)
    .flatMap((part) => partsOfMail(part.replace(/^\r\n/, '')))
}

function cut(raw: string): { head: string; body: string } {
  const at = raw.indexOf('\r\n\r\n')
  return { head: raw.slice(0, at).replace(/\r\n[ \t]+/g, ' '), body: raw.slice(at + 4) }
}

function nameOf(head: string): string | null {
  return /filename="?([^"\r\n;]+)"?/i.exec(head)?.[1] ?? null
}

function decoded(head: string, body: string): string {
  const encoding = /^content-transfer-encoding: *(\S+)/im.exec(head)?.[1]?.toLowerCase()
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return body
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
