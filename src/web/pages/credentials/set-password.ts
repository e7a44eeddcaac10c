/** The form in which the holder of a code sets a password. */

import { html } from 'htm/preact'
import type { PasswordFlaw, PasswordPolicy } from '../../../crypto/passwords/index.ts'
import type { NewPassword, Outcome, PasswordOutcome } from '../../../features/account/index.ts'
import { passwordPolicyOf } from '../../../features/passwords/index.ts'
import { canUseKeys } from '../../../features/sign-in/index.ts'
import type { PageAnswer } from '../../../http/page.ts'
import { say } from '../../../kernel/sentences.ts'
import { clientOf } from '../../browser.ts'
import { keyForm } from '../../key-form.ts'
import { checkYourMailbox, type GivenCode, type PageTools, readGivenCode } from '../../page-tools.ts'
import { type Content, field, form, headline, type Mistake, mistakeSummary, ownerField } from '../../parts.ts'
import { type PagePlan, problemPage, type Shown, type Visit } from '../../site.ts'
import type { Texts } from '../../texts/en.ts'

/** How one of the three differs from the others. */
export interface PasswordPageKind {
  readonly path: string
  title(texts: Texts): string
  lead(texts: Texts): string
  button(texts: Texts): string
  done(
    visit: Visit,
    chosen: { readonly userId: string; readonly userName: string; readonly password: string },
  ): Promise<Shown | PageAnswer>
  /** A passkey instead: as the main action with a way to a password, or below the form for a password. */
  passkey?(visit: Visit, given: GivenCode, isFirst: boolean): Content | undefined | Promise<Content | undefined>
  /** Whether the person is new here, and is offered a passkey first. */
  readonly startsWithPasskey?: boolean
  /** Whether a link counts, where the page does not know it yet. */
  check?(given: GivenCode): Promise<Outcome>
  stale(visit: Visit, userId: string): Shown
  set(given: NewPassword & Pick<GivenCode, 'email'>): Promise<PasswordOutcome>
  send?(userId: string, language: string): Promise<void>
}

/** The policy in words; also what the first input is described by. */
export function passwordRules({ password: words }: Texts, policy: PasswordPolicy): Content {
  const sentences: readonly (readonly [boolean, string])[] = [
    [true, words.atLeast({ count: policy.minLength })],
    [policy.needsLowercase, words.needsLowercase],
    [policy.needsUppercase, words.needsUppercase],
    [policy.needsNumber, words.needsNumber],
    [policy.needsSymbol, words.needsSymbol],
    [true, words.notCommon],
  ]
  return html`
    <div class="rules" id="rules">
      <h2>${words.rules}</h2>
      <ul>${sentences.filter(([applies]) => applies).map(([, sentence]) => html`<li>${sentence}</li>`)}</ul>
    </div>
  `
}

/** A flaw of a password, in words. */
export function describeFlaw(
  { flaws: words }: Texts,
  flaw: PasswordFlaw,
  { minLength, maxLength }: PasswordPolicy,
): Mistake {
  return {
    field: 'password',
    sentence: say(words[flaw], { least: minLength, most: maxLength }),
  }
}

/** What can be said of a password without knowing whose it becomes. */
export function findPasswordMistakes({ password: words }: Texts, password: string): readonly Mistake[] {
  return password === '' ? [{ field: 'password', sentence: words.missing }] : []
}

/** A passkey in place of a password, where the browser can make one: first, or below the password. */
export function newPasskeyForm({ app }: PageTools, action: string) {
  return (visit: Visit, given: GivenCode, isFirst: boolean, content?: Content): Content | undefined => {
    if (!canUseKeys(app, clientOf(visit))) return undefined
    const { texts, lang } = visit
    const { userId, code, orgId, loginName } = given
    const { button, create, instead } = texts.setUpPasskey
    return keyForm(texts, {
      action,
      does: 'create',
      kept: { userId, code, orgId, loginName, lang, ...(content === undefined && { email: given.email }) },
      button: isFirst ? create : button,
      content,
      ...(isFirst ? { instead } : { isQuiet: true, isOptional: true }),
    })
  }
}

/** Whether the other button of the form with the passkey was pressed; without a script, pressing Enter does the same. */
function wantsPassword(asked: URLSearchParams): boolean {
  return asked.has('instead') || asked.get('credential') === ''
}

/** The page, and its form for what was entered before. */
export interface PasswordPage extends PagePlan {
  show(visit: Visit, given: GivenCode): Promise<Shown>
}

export function setPasswordPage(kind: PasswordPageKind, { app, send, delayRefusal }: PageTools): PasswordPage {
  const show = async (visit: Visit, given: GivenCode, mistakes: readonly Mistake[] = [], known?: PasswordPolicy) => {
    const { texts, lang } = visit
    const { userId, code, orgId, email, loginName } = given
    const isPasskeyFirst = kind.startsWithPasskey === true && mistakes.length === 0 && !wantsPassword(visit.asked)
    const passkey = (await kind.passkey?.(visit, given, isPasskeyFirst)) || undefined
    const title = kind.title(texts)
    const lead = html`<p class="lead">${kind.lead(texts)}</p>`
    const whose = loginName !== undefined && ownerField(texts, 'loginName', loginName)
    if (isPasskeyFirst && passkey !== undefined) {
      return { title, hasScript: true, content: html`${headline(title)}${lead}${whose}${passkey}` }
    }
    const policy = known ?? (await passwordPolicyOf(app, orgId))
    const first = field({
      type: 'password',
      reveal: texts.signIn.show,
      autocomplete: 'new-password',
      mistakes,
      name: 'password',
      label: texts.password.first,
      describedBy: 'rules',
      isFirst: true,
    })
    const fields = html`${whose}${first}${passwordRules(texts, policy)}`
    return {
      status: mistakes.length > 0 ? 422 : 200,
      title,
      hasScript: passkey !== undefined,
      content: html`
        ${headline(title)}
        ${mistakeSummary(texts, mistakes)}
        ${lead}
        <div>
          ${form(kind.path, { userId, code, orgId, email, lang, ...(wantsPassword(visit.asked) && { instead: 'password' }) }, kind.button(texts), fields)}
          ${passkey !== undefined && html`<p class="or">${texts.signIn.or}</p>${passkey}`}
        </div>
      `,
    }
  }

  return {
    show: (visit, given) => show(visit, given),
    async get(visit) {
      const startedAt = performance.now()
      const given = readGivenCode(visit.request.query)
      if (given.userId === '' || given.code === '') return problemPage(visit.texts, 400, 'incomplete')
      switch (await kind.check?.(given)) {
        case 'busy':
          return problemPage(visit.texts, 429, 'busy', { 'retry-after': '5' })
        case 'refused':
          await delayRefusal(startedAt)
          return kind.stale(visit, given.userId)
        default:
          return show(visit, given)
      }
    },
    async post(visit, fields) {
      const startedAt = performance.now()
      const { texts } = visit
      const given = readGivenCode(fields)
      const { userId, code, email } = given
      if (userId !== '' && kind.send !== undefined && fields.has('again')) {
        send(`${kind.path} ${userId}`, () => kind.send?.(userId, visit.language) ?? Promise.resolve())
        return checkYourMailbox(visit)
      }
      if (userId === '' || code === '') return problemPage(texts, 400, 'incomplete')
      // From the page with the passkey, by its other button.
      if (wantsPassword(fields) && !fields.has('password')) return show(visit, given)
      const password = fields.get('password') ?? ''
      const mistakes = findPasswordMistakes(texts, password)
      if (mistakes.length > 0) return show(visit, given, mistakes)
      const result = await kind.set({ userId, code, password, email })
      switch (result.outcome) {
        case 'done':
          return kind.done(visit, { userId, userName: result.userName ?? '', password })
        case 'busy':
          return problemPage(texts, 429, 'busy', { 'retry-after': '5' })
        case 'flawed': {
          const found = result.flaws.map((flaw) => describeFlaw(texts, flaw, result.policy))
          return show(visit, given, found, result.policy)
        }
        case 'refused':
          await delayRefusal(startedAt)
          return kind.stale(visit, userId)
      }
    },
  }
}
