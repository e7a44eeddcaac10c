/** The form for an account at a provider that is not linked to any user: register, or sign in to link it. */

import { html } from 'htm/preact'
import type { ExternalAccount, Registration, RegistrationField } from '../../../features/sign-in/index.ts'
import { address } from '../../addresses.ts'
import { organizationOf, PATHS, requestIdOf } from '../../browser.ts'
import { field, form, headline, type Mistake, mistakeSummary } from '../../parts.ts'
import type { Shown, Visit } from '../../site.ts'

const LONGEST = 200

const FIELDS = [
  ['firstName', 'given-name', 'firstNameWrong'],
  ['lastName', 'family-name', 'lastNameWrong'],
  ['userName', 'username', 'userNameWrong'],
  ['email', 'email', 'emailWrong'],
] as const satisfies readonly (readonly [RegistrationField, string, string])[]

/** What was typed; what is far too long for any name is none. */
export function readRegistration(from: URLSearchParams): Registration {
  const read = (name: RegistrationField): string => {
    const text = (from.get(name) ?? '').trim()
    return text.length > LONGEST ? '' : text
  }
  return { firstName: read('firstName'), lastName: read('lastName'), userName: read('userName'), email: read('email') }
}

/** The required fields that are missing. */
export function findRegistrationMistakes(given: Registration): readonly RegistrationField[] {
  return FIELDS.map(([name]) => name).filter((name) => given[name] === '')
}

/** What the form passes on: everything of the address, and nothing that was typed. */
function keptOf(asked: URLSearchParams): Readonly<Record<string, string>> {
  return Object.fromEntries([...asked].filter(([name]) => name !== 'do' && !FIELDS.some(([known]) => known === name)))
}

/** The page does not depend on which users exist; only the policy of the provider decides what it offers. */
export function showRegistration(
  visit: Visit,
  { providerName, accountName, known, mayLink, mayRegister }: ExternalAccount,
  given: Registration = known,
  wrong: readonly RegistrationField[] = [],
): Shown {
  const { texts, lang } = visit
  const words = texts.external.welcome
  const kept = keptOf(visit.asked)
  const mistakes = FIELDS.filter(([name]) => wrong.includes(name)).map(
    ([name, , sentence]): Mistake => ({ field: name, sentence: words[sentence] }),
  )
  const fields = FIELDS.map(([name, autocomplete]) =>
    field({ name, label: words[name], autocomplete, value: given[name], mistakes }),
  )
  const next = address(PATHS.external, kept)
  const signIn = address(PATHS.signIn, { next, lang, authRequest: requestIdOf(visit), orgId: organizationOf(visit) })
  return {
    status: mistakes.length > 0 ? 422 : 200,
    title: words.title,
    content: html`
      ${mistakeSummary(texts, mistakes)}
      ${headline(words.title)}
      <p class="lead">${words.lead({ providerName, account: accountName })} ${mayRegister ? words.register : words.knownOnly}</p>
      ${mayRegister && form(PATHS.external, { ...kept, do: 'register' }, words.button, fields)}
      ${mayRegister && mayLink && html`<h2>${words.known}</h2><p class="lead">${words.knownText}</p>`}
      ${mayLink && html`<p><a class=${mayRegister ? 'button quiet' : 'button'} href=${signIn}>${words.signIn}</a></p>`}
    `,
  }
}
