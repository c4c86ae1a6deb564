/** Every app of pages, and the path of its files. */
export const APPS = { portal: '/portal/', driver: '/driver/', track: '/track/', book: '/l/' } as const
export type App = keyof typeof APPS
