/** Codes by email or text message as a second factor: turned on with a code that arrived, and turned off. */
import { html } from 'htm/preact'
import { finishOtp, removeOtp, startOtp } from '../../../features/account/index.ts'
import type { Person } from '../../../features/sign-in/index.ts'
import { address } from '../../addresses.ts'
import { PATHS, showFailure } from '../../browser.ts'
import type { PageTools } from '../../page-tools.ts'
import { field, form, headline, type Mistake, mistakeSummary } from '../../parts.ts'
import type { PagePlan, Shown, Visit } from '../../site.ts'
import { type Answer, actionPage, backToAccount, renewSession, showNotDone } from './actions.ts'

type Medium = 'email' | 'sms'

const LONGEST = 100

function showCode(visit: Visit, medium: Medium, target: string, mistakes: readonly Mistake[] = []): Shown {
  const { texts, lang } = visit
  const words = texts.turnOn
  const code = field({ name: 'code', label: words.code, autocomplete: 'one-time-code', mistakes, isFirst: true })
  const kept = { medium, target, lang }
  return {
    status: mistakes.length > 0 ? 422 : 200,
    title: words.title,
    content: html`
      ${mistakeSummary(texts, mistakes)}
      ${headline(words.title)}
      <p class="lead">${words.lead({ target })}</p>
      ${form(PATHS.otp, { ...kept, do: 'verify' }, words.button, code)}
      ${form(PATHS.otp, { ...kept, do: 'on' }, words.again, undefined, 'quiet')}
      <p class="aside"><a href=${address(PATHS.account, { lang })}>${texts.account.back}</a></p>
    `,
  }
}

async function verify(
  tools: PageTools,
  visit: Visit,
  person: Person,
  medium: Medium,
  fields: URLSearchParams,
): Promise<Answer> {
  const { missing, refused } = visit.texts.turnOn
  const target = (fields.get('target') ?? '').slice(0, 2 * LONGEST)
  const again = (sentence: string) => showCode(visit, medium, target, [{ field: 'code', sentence }])
  const code = (fields.get('code') ?? '').trim().slice(0, LONGEST)
  if (code === '') return again(missing)
  const done = await finishOtp(tools.app, person, medium, code)
  if (done.outcome === 'done') return renewSession(tools, visit, done, 'otp')
  return showFailure(visit, done, () => again(refused))
}

export function sentCodesPage(tools: PageTools): PagePlan {
  const { app } = tools
  return actionPage(tools, {
    path: PATHS.otp,
    needsRecentSignIn: true,
    async post(visit, person, fields) {
      const medium = fields.get('medium') === 'sms' ? 'sms' : 'email'
      switch (fields.get('do')) {
        case 'on': {
          const sent = await startOtp(app, person, medium)
          return sent.outcome === 'done' ? showCode(visit, medium, sent.target) : showNotDone(visit, sent)
        }
        case 'verify':
          return verify(tools, visit, person, medium, fields)
        default: {
          const off = await removeOtp(app, person, medium)
          return off.outcome === 'done' ? backToAccount(visit, 'otp') : showNotDone(visit, off)
        }
      }
    },
  })
}
