/** A value that is there now, or later. */
export type MaybePromise<T> = T | Promise<T>

/** Goes on at once with a value that is there: a request for an account in memory costs no promise. */
export function whenReady<T, R>(value: MaybePromise<T>, next: (value: T) => R): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}
