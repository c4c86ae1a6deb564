/**
 * The users with one email address: how many there are, how many the login was checked for, and for how many
 * the password was right.
 */
type Tried = { users: number; checked: number; right: number }

/**
 * The counter's attempts for the address that are cleared: all, or only this login's own; null: all count,
 * including this one.
 */
export type Refunded = 'all' | 'own' | null

/**
 * Brute-force protection: the attempts that a correct password clears. A person who knows one user's password
 * may be guessing the password of another user with the same address in another account. So it clears no
 * failed attempt of theirs, and if it was wrong for a user it was checked for, this login counts as failed.
 * The result reveals nothing new: it never depends on whether the password is right for users that were not
 * checked.
 */
export function refundedAttempts({ users, checked, right }: Tried): Refunded {
  if (right === 0 || right < checked) return null
  return checked < users ? 'own' : 'all'
}
