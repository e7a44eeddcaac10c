/** The page at the root: for people who want to sign in, with links for developers below. */
import { html } from 'htm/preact'
import { findPerson } from '../../features/sign-in/index.ts'
import { address, seeOther } from '../addresses.ts'
import { PATHS } from '../browser.ts'
import type { PageTools } from '../page-tools.ts'
import { headline } from '../parts.ts'
import type { PagePlan } from '../site.ts'
import { opensInbox } from './inbox.ts'

export function startPage(tools: PageTools): PagePlan {
  const { app, cookie } = tools
  return {
    async get({ request, texts, lang }) {
      const token = cookie.read(request)
      const person = token === undefined ? undefined : await findPerson(app, token)
      if (person?.step === 'none') return seeOther(address(PATHS.account, { lang }))
      const { title, lead, forgotten, api, health, inbox, developers } = texts.start
      return {
        title: 'Signet',
        content: html`
          ${headline(title)}
          <p class="lead">${lead}</p>
          <p><a class="button" href=${address(PATHS.signIn, { lang })}>${texts.signIn.title}</a></p>
          <p class="aside"><a href=${address(PATHS.forgotPassword, { lang })}>${forgotten}</a></p>
          <details class="more">
            <summary>${developers}</summary>
            <ul class="links">
              ${(await opensInbox(tools, request)) && html`<li><a href=${PATHS.inbox}>${inbox}</a></li>`}
              <li><a href=${PATHS.explorer}>${api}</a></li>
              <li><a href="/readyz">${health}</a></li>
            </ul>
          </details>
        `,
      }
    },
  }
}
