/** The links to the terms and the privacy policy, where someone creates an account. */
import { html } from 'htm/preact'
import type { LegalLinks } from '../../../features/settings/index.ts'
import type { Content } from '../../parts.ts'
import type { Visit } from '../../site.ts'

/** The links open in a new tab, so that what was typed stays. `{{.Lang}}` in them is the language of the page. */
export function legalNotice({ texts, language }: Visit, { tosLink, privacyLink }: LegalLinks): Content {
  const words = texts.registration
  const links = [
    { href: tosLink, text: words.terms },
    { href: privacyLink, text: words.privacy },
  ].filter(({ href }) => href !== '')
  if (links.length === 0) return null
  const shown = links.map(({ href, text }) => {
    const url = href.replaceAll(/\{\{\s*\.Lang\s*\}\}/g, language)
    return html`<li><a href=${url} target="_blank" rel="noopener">${text}</a></li>`
  })
  return html`<p class="note">${words.agree}</p><ul class="legal">${shown}</ul>`
}
