/** A value that is there now, or later. */
export type MaybePromise<T> = T | Promise<T>

/** Calls `next` at once if the value is there, so a request for an account in memory needs no promise. */
export function whenReady<T, R>(value: MaybePromise<T>, next: (value: T) => R): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}
