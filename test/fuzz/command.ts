/** Registers a clean-up for the end of the command; the newest runs first. */
export type Own = { after(end: () => unknown): void }

/** Prints the result; false if something was wrong. */
export type Command = (own: Own, args: string[]) => Promise<boolean>
