/**
 * Makes text from a person safe for our messages: one line, no invisible characters, and no text that a phone
 * would turn into a link (a message of ours contains no address but our own).
 */
export function plain(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}{}]/gu, ' ')
    .replace(/[a-z][a-z\d+.-]*:(?=\S)/gi, ' ')
    .replace(/\/{2,}/g, ' ')
    .replace(/[.。．｡](?=[\p{L}\p{N}])/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
