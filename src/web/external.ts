/**
 * Back from an identity provider: the person whose account it is gets in. Nobody's account is linked by who is signed in
 * and says yes, registered by who is new, or refused, as the policy of the provider has it.
 */
import { html } from 'htm/preact'
import { matchesHash } from '../crypto/tokens.ts'
import type { PageAnswer } from '../http/page.ts'
import { address, seeOther } from './addresses.ts'
import { carried, clientOf, PATHS, proceed, showFailure } from './browser.ts'
import { browserOf } from './browser-cookie.ts'
import type { ForeignAccount, ForeignProof } from './external-ports.ts'
import { reasonOf, showForeignFailure, showForeignMessage } from './foreign-failure.ts'
import { findRegistrationMistakes, readRegistration, showWelcome } from './foreign-welcome.ts'
import { form, headline } from './parts.ts'
import type { ExternalPageNeeds } from './provider-start.ts'
import type { Failure, Person } from './sign-in-ports.ts'
import { mishap, type PagePlan, type Shown, type Visit } from './site.ts'

type Answer = Shown | PageAnswer

const LONGEST = 200

export function externalPage(needs: ExternalPageNeeds): PagePlan {
  const { ports, cookie, externalUrl } = needs

  /** What the address or the form proves, if it was made for this browser. */
  const proofOf = ({ request, asked }: Visit): ForeignProof | undefined => {
    const [intentId = '', token = '', hash = ''] = ['id', 'token', 'browser'].map((name) => asked.get(name) ?? '')
    const browser = browserOf(request, externalUrl)
    if (browser === undefined || !matchesHash(browser, hash)) return undefined
    return [intentId, token].some((text) => text.length > LONGEST || text.includes('\0'))
      ? undefined
      : { intentId, token }
  }

  const findPerson = async ({ request }: Visit): Promise<Person | undefined> => {
    const token = cookie.read(request)
    const person = token === undefined ? undefined : await ports.signIn.find(token)
    return person?.step === 'none' ? person : undefined
  }

  const fail = async (visit: Visit): Promise<Shown> =>
    showForeignFailure(visit, 'failed', await ports.external.nameOf((visit.asked.get('idp') ?? '').slice(0, LONGEST)))

  const failAs = (visit: Visit, failure: Failure): Answer | Promise<Answer> =>
    // A session that has ended meanwhile needs no other words: one begins again.
    showFailure(visit, failure.outcome === 'gone' ? { outcome: 'refused' } : failure, () => fail(visit))

  const enter = async (visit: Visit, proof: ForeignProof, userId: string): Promise<Answer> => {
    const before = cookie.read(visit.request)
    const entered = await ports.signIn.signInElsewhere({ proof, userId, client: clientOf(visit), before })
    return entered.outcome === 'done' ? proceed(needs, visit, entered) : failAs(visit, entered)
  }

  const showQuestion = (visit: Visit, { userName }: Person, account: ForeignAccount): Shown => {
    const { asked, texts } = visit
    const { title, lead, yes, no } = texts.external.link
    const { providerName, accountName } = account
    const { next, lang } = carried(visit)
    return {
      title: title(providerName),
      content: html`
        ${headline(title(providerName))}
        <p class="lead">${lead(providerName, accountName, userName)}</p>
        ${form(PATHS.external, { ...Object.fromEntries(asked), do: 'link' }, yes)}
        <p><a class="button quiet" href=${next ?? address(PATHS.account, { lang })}>${no}</a></p>
      `,
    }
  }

  /** Somebody signed in elsewhere, and it is good in this browser. */
  const receive = async (
    visit: Visit,
    act: (proof: ForeignProof, account: ForeignAccount, person: Person | undefined) => Answer | Promise<Answer>,
  ): Promise<Answer> => {
    const proof = proofOf(visit)
    if (proof === undefined) return fail(visit)
    const person = await findPerson(visit)
    const account = await ports.external.read(proof, person)
    return account.outcome === 'read' ? act(proof, account, person) : failAs(visit, account)
  }

  /** Signed in so long ago that nothing may be linked: shown once more first, and back to this page. */
  const askAgain = (visit: Visit): PageAnswer => {
    const { do: _, ...here } = Object.fromEntries(visit.asked)
    return seeOther(address(PATHS.signIn, { again: 'yes', next: address(PATHS.external, here), lang: visit.lang }))
  }

  const showNobody = (visit: Visit, { providerName, accountName }: ForeignAccount): Shown => {
    const { title, text } = visit.texts.external.nobody
    return showForeignMessage(visit, 403, title(providerName), text(providerName, accountName))
  }

  const arrive = async (
    visit: Visit,
    proof: ForeignProof,
    account: ForeignAccount,
    person: Person | undefined,
  ): Promise<Answer> => {
    const { texts, asked, lang } = visit
    const isLinking = asked.has('link') && person !== undefined
    const { userId, providerName, accountName, mayLink, mayRegister } = account
    if (userId !== undefined) {
      if (!isLinking) return enter(visit, proof, userId)
      if (userId === person.userId) return seeOther(address(PATHS.account, { done: 'linked', lang }))
      const { title, text } = texts.external.taken
      return showForeignMessage(visit, 409, title, text(providerName, accountName))
    }
    if (person !== undefined && mayLink) {
      return person.isFresh ? showQuestion(visit, person, account) : askAgain(visit)
    }
    return (mayLink || mayRegister) && !isLinking ? showWelcome(visit, account) : showNobody(visit, account)
  }

  const link = async (
    visit: Visit,
    proof: ForeignProof,
    { userId, mayLink }: ForeignAccount,
    person: Person | undefined,
  ): Promise<Answer> => {
    if (person === undefined || userId !== undefined || !mayLink) return fail(visit)
    if (!person.isFresh) return askAgain(visit)
    const linked = await ports.external.link(person, proof)
    if (linked.outcome !== 'done') return failAs(visit, linked)
    const { next, lang } = carried(visit)
    return seeOther(next ?? address(PATHS.account, { done: 'linked', lang }))
  }

  const register = async (visit: Visit, proof: ForeignProof, account: ForeignAccount): Promise<Answer> => {
    if (account.userId !== undefined || !account.mayRegister) return fail(visit)
    const given = readRegistration(visit.asked)
    const missing = findRegistrationMistakes(given)
    if (missing.length > 0) return showWelcome(visit, account, given, missing)
    // A name that cannot be used tells something; nobody goes on asking.
    if (!needs.mayTry(proof.intentId)) return fail(visit)
    const made = await ports.external.register(proof, { ...given, language: visit.language })
    if (made.outcome === 'mistaken') return showWelcome(visit, account, given, made.fields)
    return made.outcome === 'done' ? enter(visit, proof, made.userId) : failAs(visit, made)
  }

  return {
    async get(visit) {
      const { request, texts, asked } = visit
      // Whoever only looks does not use up what can be used once.
      if (request.method === 'HEAD') return mishap(texts, 405, 'notAllowed', { allow: 'GET, POST' })
      if (!cookie.isKept(request)) return mishap(texts, 400, 'insecure')
      if (asked.has('error')) {
        const name = await ports.external.nameOf((asked.get('idp') ?? '').slice(0, LONGEST))
        return showForeignFailure(visit, reasonOf(asked.get('error')), name)
      }
      return receive(visit, (proof, account, person) => arrive(visit, proof, account, person))
    },
    post: (visit, fields) =>
      receive(visit, (proof, account, person) =>
        fields.get('do') === 'link' ? link(visit, proof, account, person) : register(visit, proof, account),
      ),
  }
}
