/**
 * How VitePress renders `docs/` as the site at `/ui/docs`. Everything is in files of our own, without inline scripts and
 * styles, because the server's policy allows no others, and without any other host: fonts, search and code are local.
 */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transformerStyleToClass } from '@shikijs/transformers'
import { type DefaultTheme, defineConfig } from 'vitepress'
import { packageList } from '../../console/build/packages.ts'
import { PATHS } from '../../src/kernel/page-paths.ts'
import { keepLinksInside, plainBraces, plainTables, searchText } from './markdown.ts'
import { writePlainText } from './plain-text.ts'
import { readSections } from './sections.ts'
import { SiteFiles } from './site-files.ts'

const docs = fileURLToPath(new URL('..', import.meta.url))

const codeStyles = transformerStyleToClass({ classPrefix: 'code-' })
const files = new SiteFiles(join(docs, 'dist'), PATHS.docs, () => codeStyles.getCSS())

function titleOf(file: string): string {
  const text = readFileSync(join(docs, file), 'utf8')
  return /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? basename(file, '.md')
}

/** The pages of a folder, by their titles. */
function pagesIn(folder: string): DefaultTheme.SidebarItem[] {
  return globSync(`${folder}/*.md`, { cwd: docs })
    .filter((file) => !file.endsWith('README.md'))
    .sort()
    .map((file) => ({ text: titleOf(file), link: `/${file.replace(/\.md$/, '')}` }))
}

const sidebar: DefaultTheme.SidebarItem[] = [
  ...readSections(docs).map(({ title, pages }) => ({
    text: title,
    items: pages.map((page) => ({ text: titleOf(`${page}.md`), link: `/${page}` })),
  })),
  { text: 'Decisions', link: '/decisions/', collapsed: true, items: pagesIn('decisions') },
]

// biome-ignore lint/style/noDefaultExport: VitePress reads the default export.
export default defineConfig({
  base: `${PATHS.docs}/`,
  title: 'Signet',
  description: 'How to run, use and understand the identity server Signet.',
  lang: 'en',
  outDir: 'dist',
  cacheDir: '../node_modules/.cache/vitepress',
  cleanUrls: true,
  // With transitions, which are otherwise switched off for a moment by a style element.
  appearance: { disableTransition: false },
  ignoreDeadLinks: 'localhostLinks',
  rewrites: { 'decisions/README.md': 'decisions/index.md' },
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: `${PATHS.docs}/seal.svg` }],
    ['meta', { name: 'robots', content: 'noindex' }],
  ],
  markdown: {
    codeTransformers: [codeStyles],
    config(md) {
      keepLinksInside(md, docs)
      plainTables(md)
      plainBraces(md)
    },
  },
  themeConfig: {
    logo: { src: '/seal.svg', alt: '' },
    siteTitle: 'Signet documentation',
    sidebar,
    outline: { level: [2, 3] },
    externalLinkIcon: false,
    search: { provider: 'local', options: { detailedView: false, _render: searchText } },
  },
  vite: {
    publicDir: '.vitepress/public',
    logLevel: 'warn',
    build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 2500 },
    plugins: [packageList()],
  },
  transformHtml: (html) => files.withoutInlineParts(html),
  buildEnd() {
    writePlainText(docs, join(docs, 'dist'), PATHS.docs)
    return files.finish()
  },
})
