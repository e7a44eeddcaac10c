/** The HTML document around the content of every page: head, logo, card, and the menu of languages below it. */
import { html } from 'htm/preact'
import type { ComponentChildren, VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { LANGUAGE_TAGS, LANGUAGES, type Language } from '../kernel/languages.ts'
import { ICON, SCRIPT, STYLESHEET } from './assets.ts'
import { globeIcon, seal } from './icons.ts'
import { textsIn } from './language.ts'
import { BUILT_IN_LOOK, type Look } from './look.ts'

export interface Sheet {
  readonly language: Language
  readonly title: string
  readonly content: ComponentChildren
  /** For pages with more to show than a form. */
  readonly isWide?: boolean
  /** For pages that ask for passkeys. */
  readonly hasScript?: boolean
  /** Where the same page is found in another language; none for answers to a form. */
  readonly inLanguage?: ((language: Language) => string) | undefined
  readonly look?: Look
}

/** A menu that opens without a script. */
function languageMenu({ language, inLanguage }: Sheet): VNode | null {
  if (inLanguage === undefined) return null
  const links = LANGUAGE_TAGS.map((one) => {
    const isCurrent = one === language ? 'true' : undefined
    return html`<li><a href=${inLanguage(one)} lang=${one} hreflang=${one} aria-current=${isCurrent}>${LANGUAGES[one]}</a></li>`
  })
  return html`
    <nav class="languages" aria-label=${textsIn(language).languages}>
      <details>
        <summary>${globeIcon}<span>${LANGUAGES[language]}</span></summary>
        <ul>${links}</ul>
      </details>
    </nav>
  ` as VNode
}

/** The logo of the organization, else ours; nothing where our name is hidden and there is no logo. */
function mast({ language, look = BUILT_IN_LOOK }: Sheet): VNode | null {
  const { logo, logoDark, hidesOurName, name, themeMode } = look
  if (logo === undefined) {
    return hidesOurName
      ? null
      : (html`<header class="mast"><a class="brand" href="/">${seal}<span>Signet</span></a></header>` as VNode)
  }
  const image = html`<img src=${logo} alt=${name || textsIn(language).home} />`
  const byScheme = html`<picture><source media="(prefers-color-scheme: dark)" srcset=${logoDark} />${image}</picture>`
  const hasBoth = themeMode === 'auto' && logoDark !== undefined
  return html`<header class="mast"><a class="brand" href="/">${hasBoth ? byScheme : image}</a></header>` as VNode
}

/** The title of the browser's tab. */
function tabTitle({ title, look = BUILT_IN_LOOK }: Sheet): string {
  const owner = look.hidesOurName || look.name !== '' ? look.name : 'Signet'
  return title === owner || owner === '' ? title : `${title} – ${owner}`
}

/** The whole document as text. */
export function printSheet(sheet: Sheet): string {
  const { language, content, isWide = false, hasScript = false, look = BUILT_IN_LOOK } = sheet
  const document = html`
    <html lang=${language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content=${look.themeMode === 'auto' ? 'light dark' : look.themeMode} />
        <meta name="robots" content="noindex" />
        <title>${tabTitle(sheet)}</title>
        <link rel="stylesheet" href=${STYLESHEET.path} />
        ${look.stylesheet !== undefined && html`<link rel="stylesheet" href=${look.stylesheet} />`}
        <link rel="icon" href=${look.icon ?? ICON.path} />
        ${hasScript && html`<script type="module" src=${SCRIPT.path}></script>`}
      </head>
      <body>
        <div class=${isWide ? 'sheet wide' : 'sheet'}>
          <main>${mast(sheet)}${content}</main>
          <footer>
            ${languageMenu(sheet)}
            ${look.logo !== undefined && !look.hidesOurName && html`<p class="powered">Signet</p>`}
          </footer>
        </div>
      </body>
    </html>
  `
  return `<!doctype html>${renderToString(document as VNode)}`
}
