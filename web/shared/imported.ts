/** Chromium and Firefox end with the file's address what they say of one that did not come. */
const ITS_ADDRESS = /dynamically imported module: (\S+)$/

/**
 * What `load` imports. Browsers may keep a failed import until the page is loaded again (Chromium 153 does, 156 asks
 * anew): so the same file is then asked for by another address, where the browser says its own.
 */
export async function imported<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    const [, address] = ITS_ADDRESS.exec(String(error)) ?? []
    if (!address) throw error
    return import(/* @vite-ignore */ `${address}?at=${Date.now()}`)
  }
}
