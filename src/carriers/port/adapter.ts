import type { AdapterContext, Environment } from './adapter-context.ts'
import type { Carrier } from './carrier.ts'

/** The software that speaks to one carrier. */
export type Adapter = {
  /** One carrier as one account uses it; the same one for as long as its access stays the same. */
  make(access: AdapterContext): Carrier
  /** How a real carrier is reached by HTTP. */
  live?: {
    /** Base addresses by the name that requests give in `at`; `api` is the usual one. Without a slash at the end. */
    urls: Readonly<Record<Environment, Readonly<Record<string, string>>>>
    /** Names of the credentials it cannot do without. */
    credentials: readonly string[]
    /** What is wrong with an account's `settings` for it, a sentence each. */
    settingsMistakes?(settings: Readonly<Record<string, unknown>>): readonly string[]
    /** What the merchant has to arrange with the carrier, as Drover does not: said by `carrier check`. */
    toArrange?: string
  }
  /** For couriers who are told by mail, of live and sandbox accounts alike. */
  desk?: { settingsMistakes(settings: Readonly<Record<string, unknown>>): readonly string[] }
}
