/** Sign-in with user name and password, or with a passkey. Unknown, locked, deactivated and wrong get one answer after one time. */
import type { JsonObject } from '@bufbuild/protobuf'
import { html } from 'htm/preact'
import {
  askForKey,
  askForPasskey,
  type Failure,
  findPerson,
  linkedProviders,
  type OfferedProvider,
  offeredProviders,
  type Person,
  type Renewed,
  showFactor,
  signInRules,
  signInWithPasskey,
  signInWithPassword,
} from '../../features/sign-in/index.ts'
import type { PageAnswer } from '../../http/page.ts'
import { address, json, seeOther } from '../addresses.ts'
import {
  carried,
  clientOf,
  organizationOf,
  PATHS,
  pathAfter,
  proceed,
  readCredential,
  showFailure,
  tellFailure,
} from '../browser.ts'
import { keyForm } from '../key-form.ts'
import type { PageTools } from '../page-tools.ts'
import { type Content, field, form, headline, type Mistake, mistakeSummary } from '../parts.ts'
import { mishap, type PagePlan, type Shown, type Visit } from '../site.ts'
import { providerButtons } from './provider-buttons.ts'

const LONGEST_NAME = 200
const LONGEST_PASSWORD = 1000

/** Text that no name or password can be becomes the empty one; databases cannot store NUL. */
function clean(text: string | null, longest: number): string {
  return text === null || text.length > longest || text.includes('\0') ? '' : text
}

async function personOf({ app, cookie }: PageTools, { request }: Visit): Promise<Person | undefined> {
  const token = cookie.read(request)
  return token === undefined ? undefined : findPerson(app, token)
}

/** The signed-in person who is asked to authenticate again; undefined when the address does not ask for it. */
async function personToAskAgain(tools: PageTools, visit: Visit): Promise<Person | undefined> {
  const person = visit.asked.has('again') ? await personOf(tools, visit) : undefined
  return person?.step === 'none' ? person : undefined
}

function buttonsOf(visit: Visit, providers: readonly OfferedProvider[], label: (name: string) => string): Content {
  return providerButtons({
    providers,
    label,
    href: (idp) => address(PATHS.provider, { idp, ...carried(visit), orgId: organizationOf(visit) }),
    more: visit.texts.external.more,
  })
}

async function showAgain(
  { app }: PageTools,
  visit: Visit,
  person: Person,
  mistakes: readonly Mistake[],
): Promise<Shown> {
  const { texts } = visit
  const kept = { ...carried(visit), again: 'yes' }
  const isPassword = person.provesWith.includes('password')
  const providers = await linkedProviders(app, person)
  const typed = field({
    name: 'password',
    label: texts.signIn.password,
    type: 'password',
    autocomplete: 'current-password',
    mistakes,
    isFirst: true,
  })
  // Password managers need to know whose password it is.
  const whose = html`<input type="hidden" name="userName" autocomplete="username" value=${person.userName} />`
  return {
    status: mistakes.length > 0 ? 422 : 200,
    title: texts.again.title,
    hasScript: true,
    content: html`
      ${mistakeSummary(texts, mistakes)}
      ${headline(texts.again.title)}
      <p class="lead">${texts.again.lead(person.userName)}</p>
      ${isPassword && form(PATHS.signIn, kept, texts.again.button, html`${whose}${typed}`)}
      ${
        person.provesWith.includes('passkey') &&
        html`
          ${isPassword && html`<p class="or">${texts.signIn.or}</p>`}
          ${keyForm(texts, {
            action: PATHS.passkey,
            does: 'get',
            kept,
            button: texts.again.passkey,
            isQuiet: isPassword,
          })}
        `
      }
      ${person.provesWith.length > 0 && providers.length > 0 && html`<p class="or">${texts.signIn.or}</p>`}
      ${buttonsOf(visit, providers, texts.external.goOnWith)}
    `,
  }
}

function nameAndPassword(visit: Visit, allowsPasskeys: boolean, mistakes: readonly Mistake[]): Content {
  const { texts, asked } = visit
  const name = field({
    name: 'userName',
    label: texts.signIn.name,
    // Conditional UI: the browser offers passkeys where the name is typed.
    autocomplete: allowsPasskeys ? 'username webauthn' : 'username',
    value: clean(asked.get('userName'), LONGEST_NAME),
    mistakes,
    isFirst: true,
  })
  const password = field({
    name: 'password',
    label: texts.signIn.password,
    type: 'password',
    autocomplete: 'current-password',
    mistakes,
  })
  return html`${name}${password}`
}

async function show(tools: PageTools, visit: Visit, mistakes: readonly Mistake[] = []): Promise<Shown> {
  const again = await personToAskAgain(tools, visit)
  if (again !== undefined) return showAgain(tools, visit, again, mistakes)
  const { texts, lang } = visit
  const orgId = organizationOf(visit)
  const [rules, providers] = await Promise.all([signInRules(tools.app, orgId), offeredProviders(tools.app, orgId)])
  const kept = { ...carried(visit), orgId }
  const isHere = rules.allowsPassword || rules.allowsPasskeys
  return {
    status: mistakes.length > 0 ? 422 : 200,
    title: texts.signIn.title,
    hasScript: rules.allowsPasskeys,
    content: html`
      ${mistakeSummary(texts, mistakes)}
      ${headline(texts.signIn.title)}
      ${
        rules.allowsPassword &&
        form(PATHS.signIn, kept, texts.signIn.button, nameAndPassword(visit, rules.allowsPasskeys, mistakes))
      }
      ${rules.allowsPassword && rules.allowsPasskeys && html`<p class="or">${texts.signIn.or}</p>`}
      ${
        rules.allowsPasskeys &&
        keyForm(texts, {
          action: PATHS.passkey,
          does: 'get',
          // One that was just refused is not offered again by itself.
          ...(visit.request.path === PATHS.signIn && { begins: 'offer' as const }),
          kept,
          button: texts.signIn.passkey,
          isQuiet: rules.allowsPassword,
        })
      }
      ${isHere && providers.length > 0 && html`<p class="or">${texts.signIn.or}</p>`}
      ${buttonsOf(visit, providers, texts.external.signInWith)}
      ${
        rules.allowsPassword &&
        !rules.hidesPasswordReset &&
        html`<p class="aside"><a href=${address('/forgot-password', { lang, orgId })}>${texts.start.forgotten}</a></p>`
      }
    `,
  }
}

async function refuse(tools: PageTools, visit: Visit, startedAt: number, sentence: string): Promise<Shown> {
  await tools.delayRefusal(startedAt)
  return show(tools, visit, [{ field: '', sentence }])
}

/** Signs in with user name and password, or checks the password of a signed-in person again. */
async function submitPassword(tools: PageTools, visit: Visit, fields: URLSearchParams): Promise<Shown | PageAnswer> {
  const startedAt = performance.now()
  const { app, cookie } = tools
  const { request, texts } = visit
  const { signIn: words } = texts
  const password = fields.get('password') ?? ''
  const again = await personToAskAgain(tools, visit)
  const userName = again?.userName ?? (fields.get('userName') ?? '').trim()
  const mistakes = [
    ...(userName === '' ? [{ field: 'userName', sentence: words.nameMissing }] : []),
    ...(password === '' ? [{ field: 'password', sentence: words.passwordMissing }] : []),
  ]
  if (mistakes.length > 0) return show(tools, visit, mistakes)
  const token = cookie.read(request)
  // A name or password that is too long is looked up as the empty one, so that it takes as long.
  const given = { userName: clean(userName, LONGEST_NAME), password: clean(password, LONGEST_PASSWORD) }
  const result =
    again !== undefined && token !== undefined
      ? await showFactor(app, token, { password: given.password })
      : await signInWithPassword(app, {
          ...given,
          organizationId: organizationOf(visit),
          client: clientOf(visit),
          before: token,
        })
  if (result.outcome === 'done') return proceed(tools, visit, result)
  return showFailure(visit, result, () => refuse(tools, visit, startedAt, words.refused))
}

/** The page with the form for user name and password. */
export function passwordSignInPage(tools: PageTools): PagePlan {
  return {
    async get(visit) {
      const { request, texts } = visit
      if (!tools.cookie.isKept(request)) return mishap(texts, 400, 'insecure')
      const person = await personOf(tools, visit)
      if (person?.step === 'none' && !request.query.has('again')) return seeOther(pathAfter(person, carried(visit)))
      return show(tools, visit)
    },
    post: (visit, fields) => submitPassword(tools, visit, fields),
  }
}

/** Takes the answer of an authenticator: of the signed-in person who is asked again, or of any user. */
async function submitPasskey(
  { app, cookie, challengeCookie }: PageTools,
  visit: Visit,
  isAgain: boolean,
  credential: JsonObject | undefined,
): Promise<Renewed | Failure> {
  const token = cookie.read(visit.request)
  if (credential === undefined) return { outcome: 'refused' }
  if (isAgain && token !== undefined) return showFactor(app, token, { credential })
  const challenge = challengeCookie.read(visit.request)
  if (challenge === undefined) return { outcome: 'refused' }
  return signInWithPasskey(app, { challenge, credential, client: clientOf(visit), before: token })
}

/** Asks for a passkey: of the signed-in person who is asked again, or of any user. */
async function offerPasskey(
  { app, cookie, challengeCookie }: PageTools,
  visit: Visit,
  isAgain: boolean,
): Promise<PageAnswer> {
  const { request, texts } = visit
  const client = clientOf(visit)
  const token = cookie.read(request)
  if (isAgain && token !== undefined) {
    const asked = await askForKey(app, { use: 'passkey', token, client })
    if (asked.outcome !== 'asked') return tellFailure(visit, asked, texts.keys.refused)
    return json({ publicKey: asked.publicKey }, { headers: cookie.keep(request, asked.token, asked.expiresAt) })
  }
  const asked = await askForPasskey(app, client)
  if (asked.outcome !== 'asked') return tellFailure(visit, asked, texts.keys.refused)
  const headers = challengeCookie.keep(request, asked.challenge, asked.expiresAt)
  return json({ publicKey: asked.publicKey }, { headers })
}

/** Signs in with a passkey: first the script asks for a challenge, then it sends the answer of the authenticator. */
export function passkeySignInPage(tools: PageTools): PagePlan {
  return {
    get: (visit) => seeOther(address(PATHS.signIn, carried(visit))),
    async post(visit, fields) {
      const startedAt = performance.now()
      const isAgain = (await personToAskAgain(tools, visit)) !== undefined
      if (!fields.has('credential')) return offerPasskey(tools, visit, isAgain)
      const result = await submitPasskey(tools, visit, isAgain, readCredential(fields))
      if (result.outcome === 'done') return proceed(tools, visit, result)
      // A session that took too long no longer exists; the person starts again all the same.
      const failure = result.outcome === 'gone' ? ({ outcome: 'refused' } as const) : result
      return showFailure(visit, failure, () => refuse(tools, visit, startedAt, visit.texts.keys.refused))
    },
  }
}
