/** The actors of changes: `operator` is the bearer of the installation's token, `command` is the command line. */
export const ACTOR_KINDS = ['client', 'user', 'operator', 'driver', 'link', 'command'] as const
export type ActorKind = (typeof ACTOR_KINDS)[number]
