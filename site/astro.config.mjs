import starlight from '@astrojs/starlight'
import { defineConfig, passthroughImageService } from 'astro/config'
import { SIDEBAR, toSlug } from '../scripts/site/site-pages.ts'

// biome-ignore lint/style/noDefaultExport: Astro reads the default export.
export default defineConfig({
  base: process.env.SITE_BASE,
  trailingSlash: 'always',
  // The pictures are WebP of the right size already: the build needs no image library.
  image: { service: passthroughImageService() },
  integrations: [
    starlight({
      title: 'Drover',
      description: 'Open-source delivery software for merchants with stores.',
      locales: { root: { label: 'English', lang: 'en-AU' } },
      logo: { src: './public/mark.svg', alt: '' },
      favicon: '/mark.svg',
      customCss: [
        '@fontsource-variable/archivo/wdth.css',
        '@fontsource-variable/atkinson-hyperlegible-mono',
        './src/drover.css',
      ],
      sidebar: SIDEBAR.map(({ label, files }) => ({
        label,
        items: files.map(({ file, label: name }) => ({
          slug: toSlug(file),
          ...(name ? { label: name } : {}),
        })),
      })),
      credits: false,
      tableOfContents: { minHeadingLevel: 2, maxHeadingLevel: 2 },
    }),
  ],
})
