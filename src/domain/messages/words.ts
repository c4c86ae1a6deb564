/**
 * What a person typed, fit for a line of ours: one line, nothing invisible, and nothing that a phone would make
 * into a link (a message of ours carries no address but our own).
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
