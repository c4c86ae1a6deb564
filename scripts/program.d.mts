export function programOf(project: string): string
export function madeFolder(project: string): string
