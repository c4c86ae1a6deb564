export function programOf(project: string): string
export function madeFolder(project: string): string
export const RELEASE: string
export const RELEASE_MANIFEST: string
