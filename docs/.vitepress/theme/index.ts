/**
 * The theme of VitePress without its font, which browsers would load for text that system fonts show as well, and with
 * links to the other pages of the server.
 */
import DefaultTheme from 'vitepress/theme-without-fonts'
import { h } from 'vue'
import { PATHS } from '../../../src/kernel/page-paths.ts'
import './site.css'

/** With a target, because the site would otherwise look for these pages among its own. */
function links() {
  return [
    ['API explorer', PATHS.explorer],
    ['Console', PATHS.console],
  ].map(([text, href]) => h('a', { class: 'server-link', href, target: '_self' }, text))
}

// biome-ignore lint/style/noDefaultExport: VitePress reads the default export.
export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'nav-bar-content-after': links, 'nav-screen-content-after': links }),
}
