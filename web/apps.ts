/** Every app of pages, and the address that its files stand under. */
export const APPS = { portal: '/portal/', driver: '/driver/', track: '/track/', book: '/l/' } as const
export type App = keyof typeof APPS
