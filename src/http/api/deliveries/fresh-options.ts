import { Refusal } from '../../../domain/errors.ts'
import { type FreshOptions, OptionChanged } from '../../../operations/quoting/redeem-quote.ts'

/** Runs `work`. If its quoted option is no longer available, adds the current options, formatted by `show`, to the refusal. */
export async function withFreshOptions<T>(
  show: (fresh: FreshOptions) => Record<string, unknown>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof OptionChanged ? refusalWith(error, show) : error
  }
}

/** Converts `OptionChanged` into the refusal for the response. */
export function refusalWith(
  { code, message, details, fresh }: OptionChanged,
  show: (fresh: FreshOptions) => Record<string, unknown>,
): Refusal {
  return new Refusal(code, message, { details: { ...details, options: show(fresh) } })
}
