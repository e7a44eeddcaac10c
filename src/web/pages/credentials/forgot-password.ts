/** Forgot password: mails a link to the user's own address. Answer and timing are the same for every name. */

import { html } from 'htm/preact'
import { sendResetCodeTo } from '../../../features/account/index.ts'
import { foldText } from '../../../kernel/fold-text.ts'
import { organizationOf, PATHS } from '../../browser.ts'
import { checkYourMailbox, type PageTools } from '../../page-tools.ts'
import { field, form, headline, type Mistake, mistakeSummary } from '../../parts.ts'
import type { PagePlan, Shown, Visit } from '../../site.ts'

const LONGEST_NAME = 200

function show(visit: Visit, mistakes: readonly Mistake[] = []): Shown {
  const { texts, lang } = visit
  const { title, lead, name: label, button } = texts.forgotten
  const name = field({ name: 'userName', label, autocomplete: 'username', mistakes, isFirst: true })
  return {
    status: mistakes.length > 0 ? 422 : 200,
    title,
    content: html`
      ${mistakeSummary(texts, mistakes)}
      ${headline(title)}
      <p class="lead">${lead}</p>
      ${form(PATHS.forgotPassword, { lang, orgId: organizationOf(visit) }, button, name)}
    `,
  }
}

export function forgotPasswordPage({ app, send }: PageTools): PagePlan {
  return {
    get: (visit) => show(visit),
    post(visit, fields) {
      const name = (fields.get('userName') ?? '').trim()
      if (name === '') return show(visit, [{ field: 'userName', sentence: visit.texts.forgotten.missing }])
      // No name is longer or contains such a character; the answer is the same as for any unknown name.
      if (name.length <= LONGEST_NAME && !name.includes('\0')) {
        send(`forgotten ${foldText(name)}`, () => sendResetCodeTo(app, name, organizationOf(visit), visit.language))
      }
      return { ...checkYourMailbox(visit), hasAddress: true }
    },
  }
}
