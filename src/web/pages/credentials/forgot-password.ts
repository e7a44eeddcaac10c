/** Forgot password: mails a link to the user's own address. Answer and timing are the same for every name. */

import { html } from 'htm/preact'
import { sendResetCodeTo } from '../../../features/account/index.ts'
import { signInRules } from '../../../features/sign-in/index.ts'
import { foldText } from '../../../kernel/fold-text.ts'
import { organizationOf, PATHS } from '../../browser.ts'
import { checkYourMailbox, type PageTools } from '../../page-tools.ts'
import { field, form, headline, type Mistake, message, mistakeSummary } from '../../parts.ts'
import type { PagePlan, Shown, Visit } from '../../site.ts'

const LONGEST_NAME = 200

/** Where users cannot reset their password by themselves. */
function showClosed({ texts }: Visit): Shown {
  const { title, closed } = texts.forgotten
  return { status: 403, title, content: message(title, [closed]) }
}

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
  const isClosed = async (visit: Visit) => !(await signInRules(app, organizationOf(visit))).allowsPasswordReset
  return {
    get: async (visit) => ((await isClosed(visit)) ? showClosed(visit) : show(visit)),
    async post(visit, fields) {
      if (await isClosed(visit)) return showClosed(visit)
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
