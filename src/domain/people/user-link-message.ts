import type { MessageText } from '../messages/message-templates.ts'
import { LINK_MARK } from '../messages/message-text.ts'
import { plain } from '../messages/plain-text.ts'

export const LINK_PURPOSES = ['invitation', 'password_reset'] as const
/** Why a user gets a link for setting a password. */
export type LinkPurpose = (typeof LINK_PURPOSES)[number]

export function isLinkPurpose(text: string): text is LinkPurpose {
  return LINK_PURPOSES.some((purpose) => purpose === text)
}

/** How long such a link is valid; wall time. */
export const LINK_LIFE_MS: Readonly<Record<LinkPurpose, number>> = {
  invitation: 7 * 24 * 3_600_000,
  password_reset: 3_600_000,
}

/** The email with the link. */
export function formatUserLinkMessage(purpose: LinkPurpose, accountName: string): MessageText {
  const name = plain(accountName)
  return purpose === 'invitation'
    ? {
        subject: `${name}: your login to Drover`,
        body: `Hello,\n\n${name} has made you a login to Drover. Choose your name and password within 7 days:\n\n${LINK_MARK}\n\nIf you did not expect this, ignore this email. Nothing changes.\n\n${name}\n`,
      }
    : {
        subject: `${name}: a new password`,
        body: `Hello,\n\nChoose a new password for Drover within an hour:\n\n${LINK_MARK}\n\nIf you did not ask for this, ignore this email. Your password stays the same.\n\n${name}\n`,
      }
}
