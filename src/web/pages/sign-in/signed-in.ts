/** After the last step: the pages that lead on to the application of the organization, or to the one that users came from. */

import { html } from 'htm/preact'
import { ownPath, seeOther } from '../../addresses.ts'
import { isElsewhere, leavesUs, PATHS, requireStep } from '../../browser.ts'
import type { PageTools } from '../../page-tools.ts'
import { headline } from '../../parts.ts'
import type { PagePlan } from '../../site.ts'

/**
 * Browsers hold the target of a form's redirect to the policy of the form, which allows ourselves only; so this page leads
 * on by itself.
 */
export function signedInPage(tools: PageTools): PagePlan {
  return {
    async get(visit) {
      const found = await requireStep(tools, visit, 'none')
      if (isElsewhere(found)) return found
      const { redirectUri, userName } = found.person
      if (redirectUri === '') return seeOther(PATHS.account)
      const { title, lead, go, account } = visit.texts.signedIn
      return {
        title,
        headers: { refresh: `0; url=${redirectUri}` },
        content: html`
        ${headline(title)}
        <p class="lead">${lead({ userName })}</p>
        <p><a class="button" href=${redirectUri}>${go}</a></p>
        <p class="aside"><a href=${PATHS.account}>${account}</a></p>
      `,
      }
    },
  }
}

/** Leads on to the application that the user came from. The same applies here: the page leads on by itself. */
export function goOnPage(): PagePlan {
  return {
    get({ asked, texts }) {
      const next = ownPath(asked.get('next'))
      if (next === undefined || !leavesUs(next)) return seeOther(PATHS.account)
      const { title, lead, button } = texts.goOn
      return {
        title,
        headers: { refresh: `0; url=${next}` },
        content: html`
        ${headline(title)}
        <p class="lead">${lead}</p>
        <p><a class="button" href=${next}>${button}</a></p>
      `,
      }
    },
  }
}
