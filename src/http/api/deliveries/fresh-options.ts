import { Refusal } from '../../../domain/errors.ts'
import { type FreshOptions, OptionChanged } from '../../../operations/quoting/redeem-quote.ts'

/** Answers what `work` answers; a promise that could not be kept is refused with the options that are left, as `show` writes them. */
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

/** The refusal as it is answered. */
export function refusalWith(
  { code, message, details, fresh }: OptionChanged,
  show: (fresh: FreshOptions) => Record<string, unknown>,
): Refusal {
  return new Refusal(code, message, { details: { ...details, options: show(fresh) } })
}
