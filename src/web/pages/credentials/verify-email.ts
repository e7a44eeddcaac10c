/** Confirms an e-mail address. Opening the link changes nothing, because mail scanners open links too; the button does. */

import { html } from 'htm/preact'
import { checkMailedCode, sendEmailCode, verifyEmailByCode } from '../../../features/account/index.ts'
import { PATHS } from '../../browser.ts'
import { checkYourMailbox, type GivenCode, type PageTools, readGivenCode, staleLink } from '../../page-tools.ts'
import { field, form, headline, type Mistake, message, mistakeSummary } from '../../parts.ts'
import { type PagePlan, problemPage, type Shown, type Visit } from '../../site.ts'

function show({ texts, lang }: Visit, { userId, code }: GivenCode, mistakes: readonly Mistake[] = []): Shown {
  const { title, lead, code: label, button } = texts.verifyEmail
  const typed = field({ name: 'code', label, autocomplete: 'one-time-code', mistakes, isFirst: true })
  return {
    status: mistakes.length > 0 ? 422 : 200,
    title,
    content: html`
      ${mistakeSummary(texts, mistakes)}
      ${headline(title)}
      <p class="lead">${lead}</p>
      ${code === '' ? form(PATHS.verifyEmail, { userId, lang }, button, typed) : form(PATHS.verifyEmail, { userId, code, lang }, button)}
    `,
  }
}

export function verifyEmailPage({ app, send, delayRefusal }: PageTools): PagePlan {
  return {
    async get(visit) {
      const startedAt = performance.now()
      const given = readGivenCode(visit.request.query)
      if (given.userId === '') return problemPage(visit.texts, 400, 'incomplete')
      // Without a code, the page asks for it.
      switch (given.code === '' ? 'done' : await checkMailedCode(app, 'verify_email', given)) {
        case 'busy':
          return problemPage(visit.texts, 429, 'busy', { 'retry-after': '5' })
        case 'refused':
          await delayRefusal(startedAt)
          return staleLink(visit, PATHS.verifyEmail, given.userId)
        case 'done':
          return show(visit, given)
      }
    },
    async post(visit, fields) {
      const startedAt = performance.now()
      const { texts } = visit
      const given = readGivenCode(fields)
      if (given.userId === '') return problemPage(texts, 400, 'incomplete')
      if (fields.has('again')) {
        send(`email ${given.userId}`, () => sendEmailCode(app, given.userId))
        return checkYourMailbox(visit)
      }
      if (given.code === '') return show(visit, given, [{ field: 'code', sentence: texts.verifyEmail.codeMissing }])
      const outcome = await verifyEmailByCode(app, given)
      if (outcome === 'done') {
        return { title: texts.verifyEmail.done, content: message(texts.verifyEmail.done, [texts.verifyEmail.doneText]) }
      }
      if (outcome === 'busy') return problemPage(texts, 429, 'busy', { 'retry-after': '5' })
      await delayRefusal(startedAt)
      return staleLink(visit, PATHS.verifyEmail, given.userId)
    },
  }
}
