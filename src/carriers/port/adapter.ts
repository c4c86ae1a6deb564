import type { z } from 'zod'
import type { AdapterContext, Environment } from './adapter-context.ts'
import type { Carrier } from './carrier.ts'

/** The code that speaks to one carrier. */
export type Adapter = {
  /** One carrier for one account, reused while its credentials and settings stay the same. */
  make(access: AdapterContext): Carrier
  /** How to call a real carrier over HTTP. */
  live?: {
    /** Base URLs by the name that requests give in `at`; `api` is the default. No trailing slash. */
    urls: Readonly<Record<Environment, Readonly<Record<string, string>>>>
    /** Names of the required credentials. */
    credentials: readonly string[]
    /** What the merchant has to arrange with the carrier, as Drover can't: printed by `carrier check`. */
    toArrange?: string
  }
  /** For couriers who get their work by e-mail, in live and sandbox accounts alike. */
  usesMail?: true
  /**
   * Its own part of a carrier's `settings`. Each rule without a Zod message (a pattern, a refinement) says in its
   * message what to write.
   */
  settings?: z.ZodObject
}
