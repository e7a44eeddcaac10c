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
import { type Content, field, form, headline, type Mistake, mistakeSummary, ownerField } from '../../parts.ts'
import type { Shown, Visit } from '../../site.ts'
import { cancelForm } from '../applications/own-request.ts'
import { type ProviderLabel, providerButtons } from '../providers/provider-buttons.ts'

export const LONGEST_NAME = 200

/** Text that no name or password can be becomes the empty one; databases cannot store NUL. */
export function clean(text: string | null, longest: number): string {
  return text === null || text.length > longest || text.includes('\0') ? '' : text
}

function buttonsOf(visit: Visit, providers: readonly OfferedProvider[], label: ProviderLabel): Content {
  return providerButtons({
    providers,
    label,
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
      ${isPassword && form(PATHS.signIn, kept, texts.again.button, html`${whose}${typed}`)}
      ${
        person.provesWith.includes('passkey') &&
        canUseKeys(tools.app, clientOf(visit)) &&
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
      ${application !== undefined && toSignIn(visit, texts.toApplication.other, { other: 'yes' })}
      ${cancelForm(visit, application)}
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
    reveal: texts.signIn.show,
    autocomplete: 'current-password',
    mistakes,
  })
  return html`${name}${password}`
}

/** Without an application, accounts are created in the default organization. */
async function canRegisterHere({ app }: PageTools, orgId: string | undefined): Promise<boolean> {
  const home = await homeOf(app, app.instanceId)
  return (orgId === undefined || orgId === home) && (await signInRules(app, home)).allowsRegistration
}

/** The password reset and the registration, where they are allowed. */
function otherWays(visit: Visit, rules: SignInRules, canRegister: boolean): Content {
  const { texts, lang } = visit
  const orgId = organizationOf(visit)
  const register = address(PATHS.register, { ...carried(visit), orgId })
  return html`
    ${
      rules.showsPasswordReset &&
      html`<p class="aside"><a href=${address(PATHS.forgotPassword, { lang, orgId })}>${texts.start.forgotten}</a></p>`
    }
    ${canRegister && html`<p class="aside"><a href=${register}>${texts.toApplication.register}</a></p>`}
  `
}

/** Only the button of the provider that the application asked for. Users press it themselves, see provider-start.ts. */
function oneProvider(visit: Visit, provider: OfferedProvider): Content {
  const { external, toApplication } = visit.texts
  return html`
    ${buttonsOf(visit, [provider], external.signInWith)}
    ${toSignIn(visit, toApplication.otherWays, { other: 'yes' })}
  `
}

function allWays(
  visit: Visit,
  rules: SignInRules,
  providers: readonly OfferedProvider[],
  mistakes: readonly Mistake[],
): Content {
  const { texts } = visit
  const kept = { ...carried(visit), orgId: organizationOf(visit) }
  const isHere = rules.allowsPassword || rules.allowsPasskeys
  return html`
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
  return {
    status: mistakes.length > 0 ? 422 : 200,
    title: texts.signIn.title,
    hasScript: rules.allowsPasskeys,
    content: html`
      ${mistakeSummary(texts, mistakes)}
      ${headline(texts.signIn.title)}
      ${application !== undefined && html`<p class="lead">${texts.toApplication.signIn({ applicationName: application.name })}</p>`}
      ${only === undefined ? allWays(visit, rules, shown, mistakes) : oneProvider(visit, only)}
      ${only === undefined && otherWays(visit, rules, canRegister)}
      ${cancelForm(visit, application)}
    `,
  }
}
