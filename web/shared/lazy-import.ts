/** Chromium and Firefox end the error of a failed import with the file's address. */
const ITS_ADDRESS = /dynamically imported module: (\S+)$/

/**
 * Imports a module with a retry. Browsers may cache a failed import until the page is reloaded (Chromium 153 does,
 * 156 retries): so the retry uses another address of the same file, if the browser's error names it.
 */
export async function importWithRetry<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    const [, address] = ITS_ADDRESS.exec(String(error)) ?? []
    if (!address) throw error
    return import(/* @vite-ignore */ `${address}?at=${Date.now()}`)
  }
}
