export function getFromNpm(
  wanted: { name: string; version: string; integrity: string },
  home: string,
  kept: (folder: string) => string | Promise<string>,
): Promise<void>
