/** The forms of the sign-in page: for all users, and for a signed-in person who authenticates again. */
import { html } from 'htm/preact'
import { type DescribedRequest, describeRequest } from '../../../features/authorization-requests/index.ts'
import {
  canUseKeys,
  homeOf,
  linkedProviders,
  type OfferedProvider,
  offeredProviders,
  type Person,
  type SignInRules,
  signInRules,
} from '../../../features/sign-in/index.ts'
import { address } from '../../addresses.ts'
import { carried, clientOf, organizationOf, PATHS, requestIdOf } from '../../browser.ts'
import { keyForm } from '../../key-form.ts'
import type { PageTools } from '../../page-tools.ts'
import {
  authenticatorField,
  type Content,
  describedByBadge,
  field,
  form,
  headline,
  lastUsedBadge,
  type Mistake,
  mistakeSummary,
  ownerField,
} from '../../parts.ts'
import type { Shown, Visit } from '../../site.ts'
import { cancelForm } from '../applications/own-request.ts'
import { type ProviderLabel, providerButtons } from '../providers/provider-buttons.ts'

export const LONGEST_NAME = 200

/** Text that no name or password can be becomes the empty one; databases cannot store NUL. */
export function clean(text: string | null, longest: number): string {
  return text === null || text.length > longest || text.includes('\0') ? '' : text
}

function buttonsOf(
  visit: Visit,
  providers: readonly OfferedProvider[],
  label: ProviderLabel,
  lastWay?: string,
): Content {
  return providerButtons({
    providers,
    label,
    badge: (idp) => lastWay === idp && lastUsedBadge(visit.texts),
    href: (idp) => address(PATHS.provider, { idp, ...carried(visit), orgId: organizationOf(visit) }),
    more: visit.texts.external.more,
  })
}

/** The application that the user came from, if the visit belongs to a request that waits. */
async function applicationOf({ app }: PageTools, visit: Visit): Promise<DescribedRequest | undefined> {
  const id = requestIdOf(visit)
  return id === undefined ? undefined : describeRequest(app, id)
}

/** A link to this page in another form. */
function toSignIn(visit: Visit, label: string, more: Readonly<Record<string, string>> = {}): Content {
  const href = address(PATHS.signIn, { ...carried(visit), orgId: organizationOf(visit), ...more })
  return html`<p class="aside"><a href=${href}>${label}</a></p>`
}

/** The form for a signed-in person who authenticates again. */
export async function showAgain(
  tools: PageTools,
  visit: Visit,
  person: Person,
  mistakes: readonly Mistake[],
): Promise<Shown> {
  const { texts } = visit
  const kept = { ...carried(visit), again: 'yes' }
  const isPassword = person.provesWith.includes('password')
  const isPasskey = person.provesWith.includes('passkey') && canUseKeys(tools.app, clientOf(visit))
  const [providers, application] = await Promise.all([linkedProviders(tools.app, person), applicationOf(tools, visit)])
  const lead =
    application === undefined
      ? texts.again.lead({ userName: person.userName })
      : texts.toApplication.again({ userName: person.userName, applicationName: application.name })
  const typed = field({
    name: 'password',
    label: texts.signIn.password,
    type: 'password',
    reveal: texts.signIn.show,
    autocomplete: 'current-password',
    mistakes,
    isFirst: true,
  })
  // Password managers need to know whose password it is.
  const whose = ownerField(texts, 'userName', person.userName)
  return {
    status: mistakes.length > 0 ? 422 : 200,
    title: texts.again.title,
    hasScript: true,
    content: html`
      ${mistakeSummary(texts, mistakes)}
      ${headline(texts.again.title)}
      <p class="lead">${lead}</p>
      ${
        isPasskey &&
        html`
          ${keyForm(texts, { action: PATHS.passkey, does: 'get', kept, button: texts.again.passkey, isOptional: isPassword })}
          ${isPassword && html`<p class="or">${texts.signIn.or}</p>`}
        `
      }
      ${isPassword && form(PATHS.signIn, kept, texts.again.button, html`${whose}${typed}`, isPasskey ? 'second' : undefined)}
      ${person.provesWith.length > 0 && providers.length > 0 && html`<p class="or">${texts.signIn.or}</p>`}
      ${buttonsOf(visit, providers, texts.external.goOnWith)}
      ${application !== undefined && toSignIn(visit, texts.toApplication.other, { other: 'yes' })}
      ${cancelForm(visit, application)}
    `,
  }
}

function nameAndPassword(visit: Visit, rules: SignInRules, mistakes: readonly Mistake[]): Content {
  const { texts, asked, lang } = visit
  const name = field({
    name: 'userName',
    label: texts.signIn.name,
    // Conditional UI: the browser offers passkeys where the name is typed.
    autocomplete: rules.allowsPasskeys ? 'username webauthn' : 'username',
    value: clean(asked.get('userName'), LONGEST_NAME),
    mistakes,
    isFirst: true,
  })
  const forgotten = address(PATHS.forgotPassword, { lang, orgId: organizationOf(visit) })
  const password = field({
    name: 'password',
    label: texts.signIn.password,
    type: 'password',
    reveal: texts.signIn.show,
    autocomplete: 'current-password',
    mistakes,
    below: rules.showsPasswordReset && html`<a href=${forgotten}>${texts.start.forgotten}</a>`,
  })
  return html`${name}${password}${rules.allowsPasskeys && authenticatorField()}`
}

/** Without an application, accounts are created in the default organization. */
async function canRegisterHere({ app }: PageTools, orgId: string | undefined): Promise<boolean> {
  const home = await homeOf(app, app.instanceId)
  return (orgId === undefined || orgId === home) && (await signInRules(app, home)).allowsRegistration
}

function registerLink(visit: Visit): Content {
  const { toApplication } = visit.texts
  const href = address(PATHS.register, { ...carried(visit), orgId: organizationOf(visit) })
  return html`<p class="aside">${toApplication.noAccount} <a href=${href}>${toApplication.register}</a></p>`
}

/** Only the button of the provider that the application asked for. Users press it themselves, see provider-start.ts. */
function oneProvider(visit: Visit, provider: OfferedProvider): Content {
  const { external, toApplication } = visit.texts
  return html`
    ${buttonsOf(visit, [provider], external.signInWith)}
    ${toSignIn(visit, toApplication.otherWays, { other: 'yes' })}
  `
}

/** Passkeys first, then providers, then the password: what is offered follows from the rules alone, never from the person. */
function allWays(
  { lastWay }: PageTools,
  visit: Visit,
  rules: SignInRules,
  providers: readonly OfferedProvider[],
  mistakes: readonly Mistake[],
): Content {
  const { texts } = visit
  const last = lastWay.read(visit.request)
  const badge = (way: string): Content => last === way && lastUsedBadge(texts)
  const kept = { ...carried(visit), orgId: organizationOf(visit) }
  const isOptional = rules.allowsPassword || providers.length > 0
  const passkey = keyForm(texts, {
    action: PATHS.passkey,
    does: 'get',
    // One that was just refused is not offered again by itself.
    ...(visit.request.path === PATHS.signIn && { begins: 'offer' as const }),
    kept,
    button: texts.signIn.passkey,
    badge: badge('passkey'),
    isOptional,
  })
  const typed = nameAndPassword(visit, rules, mistakes)
  const look = rules.allowsPasskeys ? 'second' : undefined
  return html`
    <div class="ways">
      ${rules.allowsPasskeys && passkey}
      ${buttonsOf(visit, providers, texts.external.signInWith, last)}
      ${rules.allowsPassword && (rules.allowsPasskeys || providers.length > 0) && html`<p class="or">${texts.signIn.or}</p>`}
      ${
        rules.allowsPassword &&
        form(
          PATHS.signIn,
          kept,
          html`<span>${texts.signIn.button}</span>${badge('password')}`,
          typed,
          look,
          undefined,
          describedByBadge(badge('password')),
        )
      }
    </div>
  `
}

/** The form for users who sign in, with all ways that are allowed. */
export async function showSignIn(tools: PageTools, visit: Visit, mistakes: readonly Mistake[]): Promise<Shown> {
  const { texts, asked } = visit
  const orgId = organizationOf(visit)
  const [allowed, providers, application] = await Promise.all([
    signInRules(tools.app, orgId),
    offeredProviders(tools.app, orgId),
    applicationOf(tools, visit),
  ])
  const rules = { ...allowed, allowsPasskeys: allowed.allowsPasskeys && canUseKeys(tools.app, clientOf(visit)) }
  const canRegister = application === undefined ? await canRegisterHere(tools, orgId) : rules.allowsRegistration
  const only = providers.find(({ id }) => id === asked.get('idp'))
  const shown = providers.filter(({ isHidden }) => !isHidden)
  const title =
    application === undefined ? texts.signIn.title : texts.toApplication.signIn({ applicationName: application.name })
  return {
    status: mistakes.length > 0 ? 422 : 200,
    title,
    hasScript: rules.allowsPasskeys,
    content: html`
      ${headline(title)}
      ${mistakeSummary(texts, mistakes)}
      ${only === undefined ? allWays(tools, visit, rules, shown, mistakes) : oneProvider(visit, only)}
      ${only === undefined && canRegister && registerLink(visit)}
      ${cancelForm(visit, application)}
    `,
  }
}
