/** Visitors create an account: first the form, then the code from the e-mail. Both look the same for known addresses. */
import { html } from 'htm/preact'
import type { PasswordPolicy } from '../../../crypto/passwords/index.ts'
import {
  finishFirstKey,
  finishRegistration,
  type NewAccount,
  registerAccount,
  sendEmailCode,
  startFirstKey,
  type Ticket,
} from '../../../features/account/index.ts'
import {
  type DescribedRequest,
  describeRequest,
  organizationOfScopes,
} from '../../../features/authorization-requests/index.ts'
import { passwordPolicyOf } from '../../../features/passwords/index.ts'
import { legalLinks } from '../../../features/settings/index.ts'
import {
  canUseKeys,
  homeOf,
  registeringProviders,
  type SignInRules,
  signInRules,
  signOut,
} from '../../../features/sign-in/index.ts'
import { sourceOf } from '../../../http/client-address.ts'
import type { PageAnswer } from '../../../http/page.ts'
import { foldText } from '../../../kernel/fold-text.ts'
import { address, json } from '../../addresses.ts'
import {
  carried,
  clientOf,
  PATHS,
  proceed,
  readCredential,
  requestIdOf,
  showFailure,
  showWait,
  tellFailure,
} from '../../browser.ts'
import { passkeyIcon } from '../../icons.ts'
import { keyForm } from '../../key-form.ts'
import type { PageTools } from '../../page-tools.ts'
import { type Content, field, form, headline, type Mistake, message, mistakeSummary } from '../../parts.ts'
import { type PagePlan, problemPage, type Shown, type Visit } from '../../site.ts'
import { describeFlaw, findPasswordMistakes, passwordRules } from '../credentials/set-password.ts'
import { providerButtons } from '../providers/provider-buttons.ts'
import { legalNotice } from './legal.ts'

type Answer = Shown | PageAnswer

/** Where a visitor registers, and for which application. */
interface Place {
  readonly organizationId: string
  readonly request: DescribedRequest | undefined
}

const LONGEST = 200
const LONGEST_PASSWORD = 1000
const LONGEST_TICKET = 2000

/** The organization that the application asks for, else the default one; undefined where registration is not allowed. */
async function placeOf({ app }: PageTools, visit: Visit): Promise<Place | undefined> {
  const id = requestIdOf(visit)
  const request = id === undefined ? undefined : await describeRequest(app, id)
  const named = request && (await organizationOfScopes(app, request.scopes))
  const organizationId = named ?? (await homeOf(app, app.instanceId))
  return (await signInRules(app, organizationId)).allowsRegistration ? { organizationId, request } : undefined
}

function clean(text: string | null, longest: number): string {
  return text === null || text.length > longest || text.includes('\0') ? '' : text
}

function readAccount(fields: URLSearchParams): NewAccount {
  const read = (name: string) => clean(fields.get(name), LONGEST).trim()
  const password = fields.get('with') === 'passkey' ? undefined : clean(fields.get('password'), LONGEST_PASSWORD)
  return { firstName: read('firstName'), lastName: read('lastName'), email: read('email'), password }
}

function signInLink(visit: Visit, userName?: string): Content {
  const href = address(PATHS.signIn, { ...carried(visit), userName })
  return html`<p class="aside"><a href=${href}>${visit.texts.register.signIn}</a></p>`
}

/** With a passkey, unless the visitor wants a password or can have nothing else. */
function wayOf(rules: SignInRules, asked: URLSearchParams): 'password' | 'passkey' {
  if (!rules.allowsPasskeys) return 'password'
  if (!rules.allowsPassword) return 'passkey'
  const isPassword = asked.get('instead') === 'password' || (asked.has('password') && !asked.has('instead'))
  return isPassword ? 'password' : 'passkey'
}

/** The password and its rules, or nothing but the button for a passkey; below, the button for the other way. */
function wayFields(
  { texts }: Visit,
  way: 'password' | 'passkey',
  hasBoth: boolean,
  policy: PasswordPolicy,
  mistakes: readonly Mistake[],
): readonly [Content, Content] {
  const { instead, button } = texts.setUpPasskey
  const other = (value: string, text: string): Content =>
    hasBoth && html`<button type="submit" class="plain" name="instead" value=${value}>${text}</button>`
  if (way === 'passkey') {
    const look = hasBoth ? 'needs-script' : undefined
    return [
      null,
      html`
        <button type="submit" class=${look} name="with" value="passkey">${passkeyIcon}<span>${texts.registration.withPasskey}</span></button>
        ${other('password', instead)}
      `,
    ]
  }
  const password = field({
    name: 'password',
    label: texts.register.password,
    type: 'password',
    reveal: texts.signIn.show,
    autocomplete: 'new-password',
    describedBy: 'rules',
    mistakes,
  })
  return [
    html`${password}${passwordRules(texts, policy)}`,
    html`<button type="submit">${texts.register.button}</button>${other('passkey', button)}`,
  ]
}

async function showForm(
  { app }: PageTools,
  visit: Visit,
  { organizationId, request }: Place,
  given: Partial<NewAccount> = {},
  mistakes: readonly Mistake[] = [],
  known?: PasswordPolicy,
): Promise<Shown> {
  const { texts } = visit
  const words = texts.register
  const policy = known ?? (await passwordPolicyOf(app, organizationId))
  const [allowed, providers, links] = await Promise.all([
    signInRules(app, organizationId),
    registeringProviders(app, organizationId),
    legalLinks(app, organizationId),
  ])
  const rules = { ...allowed, allowsPasskeys: allowed.allowsPasskeys && canUseKeys(app, clientOf(visit)) }
  const way = wayOf(rules, visit.asked)
  const [secret, buttons] = wayFields(visit, way, rules.allowsPassword && rules.allowsPasskeys, policy, mistakes)
  const kept = carried(visit)
  return {
    status: mistakes.length > 0 ? 422 : 200,
    title: words.title,
    content: html`
      ${headline(words.title)}
      ${mistakeSummary(texts, mistakes)}
      ${request !== undefined && html`<p class="lead">${words.lead({ applicationName: request.name })}</p>`}
      <form method="post" action=${PATHS.register} novalidate>
        ${Object.entries(kept).map(
          ([name, value]) => value !== undefined && html`<input type="hidden" name=${name} value=${value} />`,
        )}
        <div class="pair">
          ${field({ name: 'firstName', label: words.firstName, autocomplete: 'given-name', value: given.firstName ?? '', mistakes, isFirst: true })}
          ${field({ name: 'lastName', label: words.lastName, autocomplete: 'family-name', value: given.lastName ?? '', mistakes })}
        </div>
        ${field({ name: 'email', label: words.email, type: 'email', autocomplete: 'username', value: given.email ?? '', mistakes })}
        ${secret}
        ${legalNotice(visit, links)}
        ${buttons}
      </form>
      ${providers.length > 0 && html`<p class="or">${texts.signIn.or}</p>`}
      ${providerButtons({
        providers,
        label: texts.external.goOnWith,
        href: (idp) => address(PATHS.provider, { idp, ...carried(visit), orgId: organizationId }),
        more: texts.external.more,
      })}
      ${signInLink(visit)}
    `,
  }
}

function showCode(visit: Visit, email: string, { userId, sealed }: Ticket, mistakes: readonly Mistake[] = []): Shown {
  const { texts } = visit
  const words = texts.register
  const kept = { ...carried(visit), email, user: userId, ticket: sealed }
  const code = field({ name: 'code', label: words.code, autocomplete: 'one-time-code', mistakes, isFirst: true })
  return {
    status: mistakes.length > 0 ? 422 : 200,
    title: words.codeTitle,
    content: html`
      ${mistakeSummary(texts, mistakes)}
      ${headline(words.codeTitle)}
      <p class="lead">${words.codeLead({ emailAddress: email })}</p>
      ${form(PATHS.register, kept, words.codeButton, code)}
      ${form(PATHS.register, { ...kept, again: 'yes' }, words.sendAgain, undefined, 'quiet')}
      <p class="note">${words.known}</p>
      ${signInLink(visit, email)}
    `,
  }
}

function showClosed(visit: Visit): Shown {
  const { closed, closedText } = visit.texts.register
  return { status: 403, title: closed, content: message(closed, [closedText], signInLink(visit)) }
}

function fieldMistakes({ texts }: Visit, fields: readonly string[]): readonly Mistake[] {
  const { nameWrong, emailWrong } = texts.register
  return fields.map((name) => ({ field: name, sentence: name === 'email' ? emailWrong : nameWrong }))
}

/** The second step: the code proves that the address is the visitor's. */
async function submitCode(tools: PageTools, visit: Visit, fields: URLSearchParams): Promise<Answer> {
  const startedAt = performance.now()
  const { app, cookie } = tools
  const ticket = { userId: clean(fields.get('user'), LONGEST), sealed: clean(fields.get('ticket'), LONGEST_TICKET) }
  const email = clean(fields.get('email'), LONGEST)
  const words = visit.texts.register
  if (fields.has('again')) {
    tools.send(`email ${ticket.userId}`, () => sendEmailCode(app, ticket.userId))
    return showCode(visit, email, ticket)
  }
  const code = clean(fields.get('code'), LONGEST).trim()
  if (code === '') return showCode(visit, email, ticket, [{ field: 'code', sentence: words.codeMissing }])
  const finished = await finishRegistration(app, ticket, code)
  if (finished.outcome === 'done') {
    const before = cookie.read(visit.request)
    if (before !== undefined) await signOut(app, before)
    return proceed(tools, visit, finished)
  }
  if (finished.outcome === 'verified') return showKey(visit, finished.ticket)
  return showFailure(visit, finished, async () => {
    await tools.delayRefusal(startedAt)
    return showCode(visit, email, ticket, [{ field: 'code', sentence: words.codeWrong }])
  })
}

/** The last step of a registration with a passkey, after the address was proven. */
function showKey(visit: Visit, { userId, sealed }: Ticket, mistakes: readonly Mistake[] = []): Shown {
  const { texts } = visit
  const words = texts.registerPasskey
  const kept = { ...carried(visit), user: userId, ticket: sealed, step: 'passkey' }
  const label = { name: 'name', label: texts.newKey.name, autocomplete: 'off', mistakes, isFirst: true }
  const content = field({ ...label, value: clientOf(visit).description })
  return {
    status: mistakes.length > 0 ? 422 : 200,
    title: words.title,
    hasScript: true,
    content: html`
      ${mistakeSummary(texts, mistakes)}
      ${headline(words.title)}
      <p class="lead">${words.lead}</p>
      ${keyForm(texts, { action: PATHS.register, does: 'create', kept, button: texts.newKey.addPasskey, content })}
    `,
  }
}

async function submitKey({ app }: PageTools, visit: Visit, fields: URLSearchParams): Promise<Answer> {
  const ticket = { userId: clean(fields.get('user'), LONGEST), sealed: clean(fields.get('ticket'), LONGEST_TICKET) }
  const { refused, done, doneText } = visit.texts.registerPasskey
  if (!fields.has('credential')) {
    const asked = await startFirstKey(app, ticket, clientOf(visit))
    if (asked.outcome === 'asked') return json({ publicKey: asked.publicKey, keyId: asked.keyId })
    return tellFailure(visit, asked, refused)
  }
  const made = await finishFirstKey(app, ticket, {
    keyId: clean(fields.get('keyId'), LONGEST),
    credential: readCredential(fields) ?? {},
    name: clean(fields.get('name'), LONGEST).trim(),
  })
  if (made.outcome === 'done') return { title: done, content: message(done, [doneText], signInLink(visit)) }
  return showFailure(visit, made, () => showKey(visit, ticket, [{ field: '', sentence: refused }]))
}

/** The first step: the same answer after the same time, whether or not the address has an account. */
async function submitForm(tools: PageTools, visit: Visit, place: Place, fields: URLSearchParams): Promise<Answer> {
  const startedAt = performance.now()
  const given = readAccount(fields)
  const missing = (['firstName', 'lastName', 'email'] as const).filter((name) => given[name] === '')
  const mistakes = [
    ...fieldMistakes(visit, missing),
    ...(given.password === undefined ? [] : findPasswordMistakes(visit.texts, given.password)),
  ]
  if (mistakes.length > 0) return showForm(tools, visit, place, given, mistakes)
  const client = clientOf(visit)
  if (!tools.mayRegisterFrom(sourceOf(client.ip ?? ''))) return showWait(visit, 3600)
  if (!tools.mayRegister(`e-mail ${foldText(given.email)}`)) return showWait(visit, 3600)
  const made = await registerAccount(tools.app, place.organizationId, given, {
    client,
    language: visit.language,
  })
  switch (made.outcome) {
    case 'started':
      await tools.delayRefusal(startedAt)
      return showCode(visit, given.email, made.ticket)
    case 'mistaken':
      return showForm(tools, visit, place, given, fieldMistakes(visit, made.fields))
    case 'flawed': {
      const found = made.flaws.map((flaw) => describeFlaw(visit.texts, flaw, made.policy))
      return showForm(tools, visit, place, given, found, made.policy)
    }
    case 'closed':
      return showClosed(visit)
    default:
      return showFailure(visit, made, () => showClosed(visit))
  }
}

export function registerPage(tools: PageTools): PagePlan {
  return {
    async get(visit) {
      if (!tools.cookie.isKept(visit.request)) return problemPage(visit.texts, 400, 'insecure')
      const place = await placeOf(tools, visit)
      return place === undefined ? showClosed(visit) : showForm(tools, visit, place)
    },
    async post(visit, fields) {
      if (fields.get('step') === 'passkey') return submitKey(tools, visit, fields)
      if (fields.has('ticket')) return submitCode(tools, visit, fields)
      const place = await placeOf(tools, visit)
      if (place === undefined) return showClosed(visit)
      // Only the way is changed; what was entered stays.
      if (fields.has('instead')) return showForm(tools, visit, place, readAccount(fields))
      return submitForm(tools, visit, place, fields)
    },
  }
}
