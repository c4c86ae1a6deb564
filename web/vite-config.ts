import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import type { InlineConfig } from 'vite'

/** Every app of pages, and the address that its files stand under. */
export const APPS = { portal: '/portal/', driver: '/driver/', track: '/track/', book: '/l/' } as const
export type App = keyof typeof APPS

/** How one app is built: the same for all four, each under its own address and into its own folder of `out`. */
export function viteConfig(app: App, out: string): InlineConfig {
  return {
    configFile: false,
    root: resolve(import.meta.dirname, app),
    base: APPS[app],
    publicDir: 'public',
    logLevel: 'warn',
    plugins: [react()],
    build: {
      outDir: resolve(out, app),
      emptyOutDir: true,
      // Nothing is written into the page: its policy allows files of ours only.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      target: 'es2022',
      chunkSizeWarningLimit: 2_000,
    },
  }
}
