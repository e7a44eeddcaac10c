/** The page at the root: what the server is, and links to the other pages. */
import { html } from 'htm/preact'
import { isInboxOpen } from '../../features/mail/index.ts'
import { PATHS } from '../browser.ts'
import type { PageTools } from '../page-tools.ts'
import { headline } from '../parts.ts'
import type { PagePlan } from '../site.ts'
import { isFromThisMachine } from './inbox.ts'

export function startPage({ app, externalUrl }: PageTools): PagePlan {
  return {
    async get({ request, texts }) {
      const { title, lead, forgotten, api, health, inbox: inboxName } = texts.start
      const hasInbox = isFromThisMachine(request, externalUrl) && (await isInboxOpen(app))
      return {
        title: 'Signet',
        content: html`
        ${headline(title)}
        <p class="lead">${lead}</p>
        <ul class="links">
          <li><a href=${PATHS.signIn}>${texts.signIn.title}</a></li>
          <li><a href="/forgot-password">${forgotten}</a></li>
          ${hasInbox && html`<li><a href="/inbox">${inboxName}</a></li>`}
          <li><a href="/ui/api">${api}</a></li>
          <li><a href="/readyz">${health}</a></li>
        </ul>
      `,
      }
    },
  }
}
