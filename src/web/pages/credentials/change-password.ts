/** Changes one's own password: at any time, or because the sign-in requires it. */

import { html } from 'htm/preact'
import type { PasswordPolicy } from '../../../crypto/passwords/index.ts'
import { changeOwnPassword, isGivenAlready } from '../../../features/account/index.ts'
import { passwordPolicyOf } from '../../../features/passwords/index.ts'
import type { Person } from '../../../features/sign-in/index.ts'
import { address, seeOther } from '../../addresses.ts'
import { carried, isElsewhere, PATHS, pathAfter, requireStep, showFailure } from '../../browser.ts'
import type { PageTools } from '../../page-tools.ts'
import { field, form, headline, type Mistake, mistakeSummary, otherAccount, ownerField } from '../../parts.ts'
import type { PagePlan, Shown, Visit } from '../../site.ts'
import { describeFlaw, findPasswordMistakes, passwordRules } from './set-password.ts'

export function changePasswordPage(
  tools: PageTools,
  { path, step }: { readonly path: string; readonly step: 'none' | 'change_password' },
): PagePlan {
  const { app, delayRefusal } = tools

  const show = async (
    visit: Visit,
    person: Person,
    mistakes: readonly Mistake[] = [],
    known?: PasswordPolicy,
  ): Promise<Shown> => {
    const { texts } = visit
    const { hasPassword, organizationId, userName } = person
    const asksForCurrent = hasPassword && !isGivenAlready(person)
    const words = texts.changePassword
    const title = hasPassword ? words.title : words.firstTitle
    const policy = known ?? (await passwordPolicyOf(app, organizationId))
    const shared = { type: 'password', reveal: texts.signIn.show, mistakes } as const
    const fields = html`
      ${ownerField(texts, 'userName', userName)}
      ${
        asksForCurrent &&
        field({ ...shared, name: 'current', label: words.current, autocomplete: 'current-password', isFirst: true })
      }
      ${field({
        ...shared,
        name: 'password',
        label: texts.password.first,
        autocomplete: 'new-password',
        describedBy: 'rules',
        isFirst: !asksForCurrent,
      })}
      ${passwordRules(texts, policy)}
    `
    return {
      status: mistakes.length > 0 ? 422 : 200,
      title,
      content: html`
        ${mistakeSummary(texts, mistakes)}
        ${headline(title)}
        ${step === 'change_password' && html`<p class="lead">${words.required}</p>`}
        ${form(path, carried(visit), texts.password.resetButton, fields)}
        ${step === 'change_password' && otherAccount(texts, carried(visit))}
        ${step === 'none' && html`<p class="aside"><a href=${PATHS.account}>${texts.account.back}</a></p>`}
      `,
    }
  }

  /** Without a password to show, a person must have signed in lately. */
  const mustShowAgain = ({ hasPassword, isFresh }: Person): boolean => !hasPassword && !isFresh
  const leadToSignIn = (visit: Visit) => seeOther(address(PATHS.signIn, { again: 'yes', next: path, lang: visit.lang }))

  return {
    async get(visit) {
      const found = await requireStep(tools, visit, step)
      if (isElsewhere(found)) return found
      return mustShowAgain(found.person) ? leadToSignIn(visit) : show(visit, found.person)
    },
    async post(visit, fields) {
      const startedAt = performance.now()
      const { texts } = visit
      const words = texts.changePassword
      const found = await requireStep(tools, visit, step)
      if (isElsewhere(found)) return found
      const { person } = found
      if (mustShowAgain(person)) return leadToSignIn(visit)
      const current = fields.get('current') ?? ''
      const password = fields.get('password') ?? ''
      const mistakes = findPasswordMistakes(texts, password)
      if (person.hasPassword && !isGivenAlready(person) && current === '') {
        return show(visit, person, [{ field: 'current', sentence: words.currentMissing }, ...mistakes])
      }
      if (mistakes.length > 0) return show(visit, person, mistakes)
      const result = await changeOwnPassword(app, person, { current, password })
      switch (result.outcome) {
        case 'done': {
          const next = carried(visit)
          return step === 'none'
            ? seeOther(address(PATHS.account, { done: 'password', lang: visit.lang }))
            : seeOther(pathAfter({ ...person, step: 'none' }, next))
        }
        case 'flawed': {
          const found = result.flaws.map((flaw) => describeFlaw(texts, flaw, result.policy))
          return show(visit, person, found, result.policy)
        }
        default:
          return showFailure(visit, result, async () => {
            await delayRefusal(startedAt)
            return show(visit, person, [{ field: 'current', sentence: words.wrong }])
          })
      }
    },
  }
}
