/** How many may log in by one e-mail address, of how many of them the log-in was asked, and for how many it was right. */
type Tried = { users: number; asked: number; right: number }

/** The tries counted for the address are forgotten, or the one that this log-in was; null: they stand, this one too. */
export type Forgiven = 'all' | 'own' | null

/**
 * What a right password takes back. Whoever knows that of one user may be guessing at another's, in another account:
 * he takes back no wrong try, and where he was wrong for somebody this was one. It depends on nothing that he was not
 * told: whether a password is right for those whom he did not ask stays unknown.
 */
export function forgivenTries({ users, asked, right }: Tried): Forgiven {
  if (right === 0 || right < asked) return null
  return asked < users ? 'own' : 'all'
}
