/** The data of a person: everything as a JSON file, and the deletion of the account. */
import { html } from 'htm/preact'
import { cancelOwnDeletion, downloadOwnData, readAccount, requestOwnDeletion } from '../../../features/account/index.ts'
import { seeOther } from '../../addresses.ts'
import { PATHS } from '../../browser.ts'
import type { PageTools } from '../../page-tools.ts'
import { form, headline } from '../../parts.ts'
import type { PagePlan } from '../../site.ts'
import { actionPage, backToAccount, showNotDone } from './actions.ts'

/** The download; it contains what a thief of a session would want, so it needs a recent sign-in. */
export function dataPage(tools: PageTools): PagePlan {
  return actionPage(tools, {
    path: PATHS.data,
    needsRecentSignIn: true,
    async post(_visit, person) {
      const data = await downloadOwnData(tools.app, person)
      return {
        status: 200,
        contentType: 'application/json',
        body: `${JSON.stringify(data, null, 2)}\n`,
        headers: { 'content-disposition': 'attachment; filename="account-data.json"' },
      }
    },
  })
}

/** The deletion: confirmed after a recent sign-in, and cancelled on the account page. */
export function deletionPage(tools: PageTools): PagePlan {
  const { app } = tools
  return actionPage(tools, {
    path: PATHS.deletion,
    needsRecentSignIn: true,
    async get(visit, person) {
      const { allowsDeletion, deletedAt } = await readAccount(app, person)
      if (!allowsDeletion || deletedAt !== undefined) return seeOther(PATHS.account)
      const words = visit.texts.deletion
      return {
        title: words.title,
        content: html`
          ${headline(words.title)}
          <p class="lead">${words.lead({ userName: person.userName })}</p>
          <p>${words.later}</p>
          ${form(PATHS.deletion, { do: 'request', lang: visit.lang }, words.button, undefined, 'small grave')}
          <p class="aside"><a href=${PATHS.account}>${visit.texts.account.back}</a></p>
        `,
      }
    },
    async post(visit, person, fields) {
      const isCancel = fields.get('do') === 'cancel'
      const done = isCancel ? await cancelOwnDeletion(app, person) : await requestOwnDeletion(app, person)
      if (done.outcome !== 'done') return showNotDone(visit, done)
      return backToAccount(visit, isCancel ? 'deletionCancelled' : 'deletionRequested')
    },
  })
}
