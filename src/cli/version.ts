import about from '../../package.json' with { type: 'json' }

/** Drover's own version, as released. */
export const VERSION: string = about.version
