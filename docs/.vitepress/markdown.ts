/** What the site does differently from a plain rendering of the pages. */
import { dirname, join, relative } from 'node:path'
import type { MarkdownEnv, MarkdownRenderer } from 'vitepress'

/** Whether a link of a page leads to a file of the repository that is not part of the site; `check-links` finds it. */
function leadsOutside(href: string, page: string, docs: string): boolean {
  if (/^([a-z]+:|#|\/)/i.test(href)) return false
  const path = join(dirname(page), decodeURI(href.replace(/#.*$/, '')))
  return relative(docs, path).startsWith('..')
}

/** Links to source files, which the site does not have, become their text and the path in the repository. */
export function keepLinksInside(md: MarkdownRenderer, docs: string): void {
  md.core.ruler.push('keep-links-inside', (state) => {
    const { path = '' } = state.env as MarkdownEnv
    for (const token of state.tokens) {
      let removed: string | undefined
      for (const child of token.children ?? []) {
        const href = child.type === 'link_open' ? child.attrGet('href') : null
        if (href !== null && leadsOutside(href, path, docs)) {
          removed = relative(join(docs, '..'), join(dirname(path), decodeURI(href)))
          child.type = 'html_inline'
          child.content = ''
        } else if (href !== null && !href.includes(':')) {
          // The page of a folder has another name on the site.
          child.attrSet('href', href.replace(/(^|\/)README\.md/, '$1index.md'))
        } else if (child.type === 'link_close' && removed !== undefined) {
          child.type = 'html_inline'
          child.content = ` (<code>${md.utils.escapeHtml(removed)}</code>)`
          removed = undefined
        }
      }
    }
  })
}

/** Braces are text in our pages; to the generator two of them would begin an expression. */
export function plainBraces(md: MarkdownRenderer): void {
  for (const rule of ['text', 'code_inline'] as const) {
    const render = md.renderer.rules[rule]
    if (render === undefined) continue
    md.renderer.rules[rule] = (...words) => render(...words).replaceAll('{{', '&#123;&#123;')
  }
}

/**
 * Columns are aligned by a class, because the policy of the server allows no style attributes, and the empty corner of a
 * table is no heading.
 */
export function plainTables(md: MarkdownRenderer): void {
  md.core.ruler.push('plain-tables', ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      const side = /^text-align:(\w+)$/.exec(String(token.attrGet('style')))?.[1]
      if (side !== undefined) {
        token.attrs = (token.attrs ?? []).filter(([name]) => name !== 'style')
        token.attrJoin('class', `align-${side}`)
      }
      const end = tokens[index + 2]
      if (token.type === 'th_open' && tokens[index + 1]?.content === '' && end?.type === 'th_close') {
        token.tag = 'td'
        end.tag = 'td'
      }
    }
  })
}

/** What the search finds: not the decisions, which would bury the guides. */
export async function searchText(text: string, env: MarkdownEnv, md: MarkdownRenderer): Promise<string> {
  const html = await md.renderAsync(text, env)
  return env.relativePath.startsWith('decisions/') || env.frontmatter?.search === false ? '' : html
}
