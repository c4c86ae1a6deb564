export function getFromNpm(
  spec: string,
  home: string,
  kept: (folder: string) => string | Promise<string>,
): Promise<void>
