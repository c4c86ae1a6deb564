type WebCrypto = typeof globalThis.crypto

/** A variable, so that bundlers for other runtimes do not look for the module. */
const NODE_MODULE = 'node:crypto'

/** WebCrypto. Node 18 has it only in a module; every later runtime has it as a global. */
export async function webCrypto(): Promise<WebCrypto> {
  return (
    globalThis.crypto ??
    ((await import(/* @vite-ignore */ NODE_MODULE)) as { webcrypto: WebCrypto }).webcrypto
  )
}
