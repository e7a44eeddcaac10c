/**
 * Back from an identity provider: a linked account signs in. An account that is not linked can be linked by the signed-in
 * person who confirms it, registered as a new user, or refused, as the policy of the provider says.
 */
import { html } from 'htm/preact'
import {
  acceptProposedUser,
  type ExternalAccount,
  type ExternalProof,
  type Failure,
  findPerson,
  providerName as findProviderName,
  linkExternalAccount,
  type Person,
  readExternalAccount,
  registerWithExternalAccount,
  signInWithProvider,
} from '../../../features/sign-in/index.ts'
import type { PageAnswer } from '../../../http/page.ts'
import { address, seeOther } from '../../addresses.ts'
import { carried, clientOf, organizationOf, PATHS, pathAfter, proceed, showFailure } from '../../browser.ts'
import { browserOf } from '../../browser-cookie.ts'
import type { PageTools } from '../../page-tools.ts'
import { form, headline } from '../../parts.ts'
import { type PagePlan, problemPage, type Shown, type Visit } from '../../site.ts'
import { findRegistrationMistakes, readRegistration, showRegistration } from './external-registration.ts'
import { reasonOf, showProviderFailure, showProviderMessage } from './provider-failure.ts'

type Answer = Shown | PageAnswer

/** An account at a provider that has proven itself to this browser. */
interface Arrival {
  readonly proof: ExternalProof
  readonly account: ExternalAccount
  /** The person who is signed in here, if any. */
  readonly person: Person | undefined
}

const LONGEST = 200

/** What the address or the form proves, together with the browser that it was started in. */
function proofOf({ externalUrl }: PageTools, { request, asked }: Visit): ExternalProof | undefined {
  const [intentId = '', token = ''] = ['id', 'token'].map((name) => asked.get(name) ?? '')
  const browser = browserOf(request, externalUrl)
  if (browser === undefined) return undefined
  return [intentId, token].some((text) => text.length > LONGEST || text.includes('\0'))
    ? undefined
    : { intentId, token, browser }
}

async function signedInPerson({ app, cookie }: PageTools, { request }: Visit): Promise<Person | undefined> {
  const token = cookie.read(request)
  const person = token === undefined ? undefined : await findPerson(app, token)
  return person?.step === 'none' ? person : undefined
}

function nameOfProvider({ app }: PageTools, { asked }: Visit): Promise<string | undefined> {
  return findProviderName(app, (asked.get('idp') ?? '').slice(0, LONGEST))
}

async function fail(tools: PageTools, visit: Visit): Promise<Shown> {
  return showProviderFailure(visit, 'failed', await nameOfProvider(tools, visit))
}

function failAs(tools: PageTools, visit: Visit, failure: Failure): Answer | Promise<Answer> {
  // A session that has ended meanwhile gets the same answer: the person starts again.
  return showFailure(visit, failure.outcome === 'gone' ? { outcome: 'refused' } : failure, () => fail(tools, visit))
}

async function signIn(tools: PageTools, visit: Visit, { proof, account }: Arrival, userId: string): Promise<Answer> {
  const way = account.providerId
  const before = tools.cookie.read(visit.request)
  const entered = await signInWithProvider(tools.app, { proof, userId, client: clientOf(visit), before })
  return entered.outcome === 'done' ? proceed(tools, visit, entered, { way }) : failAs(tools, visit, entered)
}

function showLinkQuestion(visit: Visit, { userName }: Person, account: ExternalAccount): Shown {
  const { asked, texts } = visit
  const { title, lead, yes, no } = texts.external.link
  const { providerName, accountName } = account
  const { next, lang } = carried(visit)
  return {
    title: title({ providerName }),
    content: html`
      ${headline(title({ providerName }))}
      <p class="lead">${lead({ providerName, account: accountName, userName })}</p>
      ${form(PATHS.external, { ...Object.fromEntries(asked), do: 'link' }, yes)}
      <p><a class="button quiet" href=${next ?? address(PATHS.account, { lang })}>${no}</a></p>
    `,
  }
}

/** Asks the owner of an account whether they are the user that the organization of the page proposes. */
function showProposals(visit: Visit, { providerName, accountName, proposed }: ExternalAccount): Shown {
  const { asked, texts } = visit
  const { title, lead, yes, no } = texts.external.link
  const kept = Object.fromEntries(asked)
  return {
    title: title({ providerName }),
    content: html`
      ${headline(title({ providerName }))}
      ${proposed.map(
        ({ userId, userName }) => html`
          <p class="lead">${lead({ providerName, account: accountName, userName })}</p>
          ${form(PATHS.external, { ...kept, do: 'accept', user: userId }, yes)}
        `,
      )}
      <p><a class="button quiet" href=${address(PATHS.external, { ...kept, declined: 'yes' })}>${no}</a></p>
    `,
  }
}

/** The sign-in is too old to link an account: the person authenticates again and comes back to this page. */
function askAgain(visit: Visit): PageAnswer {
  const { do: _, ...here } = Object.fromEntries(visit.asked)
  return seeOther(address(PATHS.signIn, { again: 'yes', next: address(PATHS.external, here), lang: visit.lang }))
}

function showNotAllowed(visit: Visit, { providerName, accountName }: ExternalAccount): Shown {
  const { title, text } = visit.texts.external.unlinked
  return showProviderMessage(visit, 403, title({ providerName }), text({ providerName, account: accountName }))
}

async function arrive(tools: PageTools, visit: Visit, arrival: Arrival): Promise<Answer> {
  const { account, person } = arrival
  const { texts, asked, lang } = visit
  const isLinking = asked.has('link') && person !== undefined
  const { userId, providerName, accountName, mayLink, mayRegister } = account
  if (userId !== undefined) {
    if (!isLinking) return signIn(tools, visit, arrival, userId)
    if (userId === person.userId) return seeOther(address(PATHS.account, { done: 'linked', lang }))
    const { title, text } = texts.external.taken
    return showProviderMessage(visit, 409, title, text({ providerName, account: accountName }))
  }
  if (person !== undefined && mayLink) {
    return person.isFresh ? showLinkQuestion(visit, person, account) : askAgain(visit)
  }
  if (account.proposed.length > 0 && person === undefined && !asked.has('declined')) {
    return showProposals(visit, account)
  }
  return (mayLink || mayRegister) && !isLinking ? showRegistration(visit, account) : showNotAllowed(visit, account)
}

async function link(tools: PageTools, visit: Visit, { proof, account, person }: Arrival): Promise<Answer> {
  if (person === undefined || account.userId !== undefined || !account.mayLink) return fail(tools, visit)
  if (!person.isFresh) return askAgain(visit)
  const linked = await linkExternalAccount(tools.app, person, proof)
  if (linked.outcome !== 'done') return failAs(tools, visit, linked)
  const kept = carried(visit)
  return seeOther(
    kept.next === undefined ? address(PATHS.account, { done: 'linked', lang: kept.lang }) : pathAfter(person, kept),
  )
}

async function accept(tools: PageTools, visit: Visit, arrival: Arrival): Promise<Answer> {
  const { proof, account } = arrival
  const userId = visit.asked.get('user') ?? ''
  if (!account.proposed.some((one) => one.userId === userId)) return fail(tools, visit)
  const accepted = await acceptProposedUser(tools.app, proof, userId, organizationOf(visit))
  return accepted.outcome === 'done' ? signIn(tools, visit, arrival, userId) : failAs(tools, visit, accepted)
}

async function register(tools: PageTools, visit: Visit, arrival: Arrival): Promise<Answer> {
  const { proof, account } = arrival
  if (account.userId !== undefined || !account.mayRegister) return fail(tools, visit)
  const given = readRegistration(visit.asked)
  const missing = findRegistrationMistakes(given)
  if (missing.length > 0) return showRegistration(visit, account, given, missing)
  // That a name cannot be used reveals something, so the number of attempts is limited.
  if (!tools.mayRegister(proof.intentId)) return fail(tools, visit)
  const made = await registerWithExternalAccount(tools.app, proof, { ...given, language: visit.language })
  if (made.outcome === 'mistaken') return showRegistration(visit, account, given, made.fields)
  return made.outcome === 'done' ? signIn(tools, visit, arrival, made.userId) : failAs(tools, visit, made)
}

/** Reads the account at the provider and acts on it. */
async function receive(
  tools: PageTools,
  visit: Visit,
  act: (arrival: Arrival) => Answer | Promise<Answer>,
): Promise<Answer> {
  const proof = proofOf(tools, visit)
  if (proof === undefined) return fail(tools, visit)
  const person = await signedInPerson(tools, visit)
  const account = await readExternalAccount(tools.app, proof, person, organizationOf(visit))
  return account.outcome === 'read' ? act({ proof, account, person }) : failAs(tools, visit, account)
}

export function providerReturnPage(tools: PageTools): PagePlan {
  return {
    async get(visit) {
      const { request, texts, asked } = visit
      // HEAD must not use up what can be used once.
      if (request.method === 'HEAD') return problemPage(texts, 405, 'notAllowed', { allow: 'GET, POST' })
      if (!tools.cookie.isKept(request)) return problemPage(texts, 400, 'insecure')
      if (asked.has('error')) {
        return showProviderFailure(visit, reasonOf(asked.get('error')), await nameOfProvider(tools, visit))
      }
      return receive(tools, visit, (arrival) => arrive(tools, visit, arrival))
    },
    post: (visit, fields) =>
      receive(tools, visit, (arrival) => {
        const asked = fields.get('do')
        const act = asked === 'link' ? link : asked === 'accept' ? accept : register
        return act(tools, visit, arrival)
      }),
  }
}
