import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import type { InlineConfig, Plugin } from 'vite'
import { APPS, type App } from './apps.ts'

/** The build of one app: the same for all four, each under its own path into `out`. */
export function viteConfig(app: App, out: string, plugins: Plugin[] = []): InlineConfig {
  return {
    configFile: false,
    root: resolve(import.meta.dirname, app),
    base: APPS[app],
    publicDir: 'public',
    logLevel: 'error',
    plugins: [react(), ...plugins],
    build: {
      outDir: out,
      emptyOutDir: true,
      // No inline code in the page: its policy allows only our own files.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      target: 'es2022',
      chunkSizeWarningLimit: 2_000,
    },
  }
}
