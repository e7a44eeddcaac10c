/** The page on which a user allows an application what it asks for, or denies it. */
import { createHash } from 'node:crypto'
import { html } from 'htm/preact'
import {
  allowDetails,
  askedOf,
  type DescribedRequest,
  denyRequest,
} from '../../../features/authorization-requests/index.ts'
import { giveConsent } from '../../../features/grants/index.ts'
import { carried, PATHS } from '../../browser.ts'
import type { PageTools } from '../../page-tools.ts'
import { form, headline } from '../../parts.ts'
import type { PagePlan } from '../../site.ts'
import { askingFacts, askingNotes, detailList } from './asking.ts'
import { requestPage } from './own-request.ts'
import { scopeList } from './scopes.ts'

/** What the form names of what it showed: an answer is to that. */
function seen(request: DescribedRequest): string {
  const { frame, places, scopes } = askedOf(request, request.redirectUri).picture
  const all = JSON.stringify([frame, places, scopes, request.details])
  return createHash('sha256').update(all).digest('base64url')
}

export function consentPage(tools: PageTools): PagePlan {
  const { app } = tools
  return requestPage(tools, {
    seen,
    show(visit, { request, person }) {
      const { texts } = visit
      const { title, lead, allow, deny, later } = texts.consent
      const kept = { ...carried(visit), session: person.sessionId, shown: seen(request) }
      return {
        title: title({ applicationName: request.name }),
        content: html`
          ${headline(title({ applicationName: request.name }))}
          <p class="lead">${lead({ applicationName: request.name, userName: person.userName })}</p>
          ${scopeList(texts, request)}
          ${detailList(request)}
          ${askingFacts(visit, request)}
          ${askingNotes(visit, request)}
          ${form(PATHS.consent, { ...kept, do: 'allow' }, allow)}
          ${form(PATHS.consent, { ...kept, do: 'deny' }, deny, undefined, 'quiet')}
          <p class="note">${later}</p>
        `,
      }
    },
    async answer(_, { request, person }, fields) {
      const { userId, organizationId } = person
      const origin = { actor: { user: userId }, at: app.clock() }
      if (fields.get('do') !== 'allow') return denyRequest(app, origin, request.id)
      await giveConsent(app, origin, { userId, organizationId, ...askedOf(request, request.redirectUri) })
      if (request.details.length > 0) await allowDetails(app, origin, request.id, userId)
    },
  })
}
