/** The root: the account of a person who is signed in, the sign-in page for everybody else, or that the server is not set up. */
import { html } from 'htm/preact'
import { awaitsAdministrator } from '../../features/onboarding/index.ts'
import { findPerson } from '../../features/sign-in/index.ts'
import { address, seeOther } from '../addresses.ts'
import { PATHS } from '../browser.ts'
import type { PageTools } from '../page-tools.ts'
import { headline } from '../parts.ts'
import type { PagePlan, Shown, Visit } from '../site.ts'
import { opensInbox } from './inbox.ts'

async function showNotSetUp(tools: PageTools, { request, texts }: Visit): Promise<Shown> {
  const { title, lead, command, health, docs } = texts.notSetUp
  return {
    title,
    content: html`
      ${headline(title)}
      <p class="lead">${lead}</p>
      <p class="lead">${command} <code>signet setup-link</code></p>
      <ul class="links">
        <li><a href=${PATHS.docs}>${docs}</a></li>
        ${(await opensInbox(tools, request)) && html`<li><a href=${PATHS.inbox}>${texts.start.inbox}</a></li>`}
        <li><a href="/readyz">${health}</a></li>
      </ul>
    `,
  }
}

export function startPage(tools: PageTools): PagePlan {
  const { app, cookie } = tools
  return {
    async get(visit) {
      const { request, lang } = visit
      const token = cookie.read(request)
      const person = token === undefined ? undefined : await findPerson(app, token)
      if (person?.step === 'none') return seeOther(address(PATHS.account, { lang }))
      if (await awaitsAdministrator(app.store)) return showNotSetUp(tools, visit)
      return seeOther(address(PATHS.signIn, { lang }))
    },
  }
}
