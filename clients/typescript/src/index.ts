// biome-ignore-all lint/performance/noBarrelFile: a package has one entry.
export type { CallOptions } from './call.ts'
export { Drover, type DroverOptions } from './client.ts'
export { DroverError, type DroverErrorCode } from './errors.ts'
export type { FollowedEvent, FollowOptions } from './event-feed.ts'
export { type Page, Pages } from './pages.ts'
export type * from './types.generated.ts'
