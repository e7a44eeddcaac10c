/** The page on which a signed-in user continues with their account, or signs in with another one. */
import { html } from 'htm/preact'
import { chooseAccount, denyRequest } from '../../../features/authorization-requests/index.ts'
import { address } from '../../addresses.ts'
import { carried, organizationOf, PATHS } from '../../browser.ts'
import type { PageTools } from '../../page-tools.ts'
import { form, headline } from '../../parts.ts'
import type { PagePlan } from '../../site.ts'
import { requestPage } from './own-request.ts'

export function chooseAccountPage(tools: PageTools): PagePlan {
  const { app } = tools
  return requestPage(tools, {
    show(visit, { request, person }) {
      const { title, lead, goOn } = visit.texts.accounts
      const orgId = organizationOf(visit)
      const kept = { ...carried(visit), orgId, session: person.sessionId }
      const other = address(PATHS.signIn, { ...carried(visit), orgId, other: 'yes' })
      return {
        title,
        content: html`
          ${headline(title)}
          <p class="lead">${lead({ applicationName: request.name })}</p>
          ${form(PATHS.accounts, kept, goOn({ name: person.displayName }), html`<p class="note">${person.userName}</p>`)}
          <p><a class="button quiet" href=${other}>${visit.texts.toApplication.other}</a></p>
          ${form(PATHS.accounts, { ...kept, do: 'cancel' }, visit.texts.toApplication.cancel, undefined, 'quiet')}
        `,
      }
    },
    async answer(_, { request, person }, fields) {
      const origin = { actor: { user: person.userId }, at: app.clock() }
      if (fields.get('do') === 'cancel') return denyRequest(app, origin, request.id)
      await chooseAccount(app, origin, request.id, person.sessionId)
    },
  })
}
