/** The account page: profile, ways to sign in, and sessions. */

import { html } from 'htm/preact'
import {
  type AcceptedKeys,
  type Account,
  type KeyUse,
  type OwnSession,
  readAccount,
} from '../../../features/account/index.ts'
import type { Person } from '../../../features/sign-in/index.ts'
import { address } from '../../addresses.ts'
import { isElsewhere, PATHS, requireStep } from '../../browser.ts'
import type { PageTools } from '../../page-tools.ts'
import { type Content, form, headline } from '../../parts.ts'
import type { PagePlan, Shown, Visit } from '../../site.ts'
import type { Texts } from '../../texts/en.ts'
import { time, timesScript } from '../../times.ts'
import { applicationsSection } from './applications.ts'
import { approvalsNotice } from './approvals.ts'
import { linksSection } from './links.ts'
import { actionsOf, deviceName, distinctNames, row, section } from './parts.ts'
import { dataSection, deletionNotice, personalSection } from './personal.ts'
import { removalLink } from './remove.ts'

function sessionRows(visit: Visit, sessions: readonly OwnSession[]): Content {
  const { texts, language } = visit
  const words = texts.account
  const action = actionsOf(visit)
  const devices = sessions.map(({ description }) => deviceName(texts, description))
  const names = distinctNames(
    devices,
    sessions.map(({ since }) => since),
    language,
  )
  return sessions.map(({ id, ip, since, lastUsedAt, expiresAt, isThis }, index) =>
    row(
      html`${devices[index]}${isThis && html`<em>${words.thisDevice}</em>`}`,
      html`${ip !== '' && `${ip} · `}${words.since} ${time(since, language)} · ${words.lastUsed} ${time(lastUsedAt, language)} · ${words.until} ${time(expiresAt, language)}`,
      isThis
        ? action(PATHS.signOut, {}, words.signOut)
        : action(PATHS.sessions, { do: 'end', id }, words.endSession, {
            isGrave: true,
            label: texts.buttons.signOutOf({ device: names[index] ?? '' }),
          }),
    ),
  )
}

function keyRows(visit: Visit, account: Account, use: KeyUse): Content {
  const { texts, language, lang } = visit
  const words = texts.account
  const keys = account.keys.filter((key) => key.use === use)
  const names = distinctNames(
    keys.map(({ name }) => (use === 'passkey' ? '' : `${words.key} `) + (name || words.unnamed)),
    keys.map(({ addedAt }) => addedAt),
    language,
  )
  return keys.map((key, index) => {
    const name = names[index] ?? ''
    const label = texts.buttons.labelled({ button: words.rename, name })
    return row(
      key.name === '' ? words.unnamed : key.name,
      html`${use === 'second_factor' && `${words.key} · `}${words.added} ${time(key.addedAt, language)}${key.usedAt !== undefined && html` · ${texts.access.lastUsed} ${time(key.usedAt, language)}`}${key.isLastWay && html`<br />${words.lastWay}`}`,
      html`
          <a class="button small" href=${address(PATHS.keys, { rename: key.id, use, lang })} aria-label=${label}>${words.rename}</a>
          ${!key.isLastWay && removalLink(visit, { what: 'key', id: key.id, use }, words.remove, name)}
        `,
    )
  })
}

function factorRows(visit: Visit, { hasTotp, otp, canText, recoveryCodesLeft }: Account): Content {
  const { texts } = visit
  const words = texts.account
  const action = actionsOf(visit)
  const labelled = (button: string, name: string) => ({ label: texts.buttons.labelled({ button, name }) })
  const medium = (name: 'email' | 'sms', title: string, missing: string) => {
    const { isOn, target } = otp[name]
    if (isOn) {
      return row(title, target ?? missing, removalLink(visit, { what: 'otp', medium: name }, words.switchOff, title))
    }
    if (target === undefined) return row(title, missing, null)
    // A factor whose codes never arrive would lock the user out.
    if (name === 'sms' && !canText) return row(title, texts.turnOn.noTexts, null)
    return row(
      title,
      target,
      action(PATHS.otp, { medium: name, do: 'on' }, words.switchOn, labelled(words.switchOn, title)),
    )
  }
  const codes = recoveryCodesLeft === 0 ? words.makeCodes : words.renewCodes
  return html`
    ${row(
      words.app,
      hasTotp ? words.appOn : words.appOff,
      hasTotp
        ? removalLink(visit, { what: 'totp' }, words.remove, words.app)
        : action(PATHS.totp, { do: 'start' }, words.setUp, labelled(words.setUp, words.app)),
    )}
    ${medium('email', words.otpEmail, words.noEmail)}
    ${medium('sms', words.otpSms, words.noPhone)}
    ${row(
      words.recovery,
      recoveryCodesLeft === 0 ? words.recoveryNone : words.recoveryLeft({ count: recoveryCodesLeft }),
      action(PATHS.recoveryCodes, { do: 'make' }, codes, labelled(codes, words.recovery)),
    )}
  `
}

const DONE = [
  'password',
  'key',
  'renamed',
  'removed',
  'app',
  'otp',
  'linked',
  'session',
  'access',
  'saved',
  'deletionRequested',
  'deletionCancelled',
] as const

function doneSentence({ account, othersEnded }: Texts, which: string | null): string | undefined {
  if (which === 'others') return othersEnded
  const known = DONE.find((one) => one === which)
  return known === undefined ? undefined : account.done[known]
}

/** What password managers are to be told by the script. */
function signals(of: readonly (AcceptedKeys & { readonly removed?: string })[]): Content {
  return of.map((one) => html`<div data-signal=${JSON.stringify(one)} hidden></div>`)
}

export function showAccount(
  visit: Visit,
  person: Person,
  account: Account,
  done: string | null,
  removed?: AcceptedKeys & { readonly removed: string },
): Shown {
  const { texts, lang } = visit
  const words = texts.account
  const sentence = doneSentence(texts, done)
  const of = (use: KeyUse) => account.keys.some((key) => key.use === use)
  const add = (use: KeyUse, text: string) =>
    html`<p><a class="button quiet" href=${address(PATHS.keys, { use, lang })}>${text}</a></p>`
  const changes = account.hasPassword ? words.change : words.setUp
  const others = account.sessions.some(({ isThis }) => !isThis)
  return {
    title: words.title,
    isWide: true,
    hasScript: true,
    content: html`
      ${sentence !== undefined && html`<p class="done" role="status" tabindex="-1" autofocus>${sentence}</p>`}
      ${deletionNotice(visit, account)}
      ${approvalsNotice(visit, account.approvalsWaiting)}
      ${account.picture !== undefined && html`<img class="portrait" src=${account.picture} alt="" />`}
      ${headline(person.displayName)}
      ${account.isAdministrator && html`<p><a class="button quiet" href=${PATHS.console}>${words.console}</a></p>`}
      ${personalSection(visit, person, account)}
      ${section(
        words.sessions,
        'sessions',
        undefined,
        sessionRows(visit, account.sessions),
        html`
          ${others && form(PATHS.sessions, { do: 'others', lang }, words.endOthers, undefined, 'quiet')}
          ${form(PATHS.signOut, { other: 'yes', lang }, texts.external.account.other, undefined, 'quiet')}
        `,
      )}
      ${section(
        words.passkeys,
        'passkeys',
        of('passkey') ? undefined : words.noPasskeys,
        keyRows(visit, account, 'passkey'),
        add('passkey', words.addPasskey),
      )}
      ${section(
        words.password,
        'password',
        undefined,
        row(
          account.hasPassword ? words.hasPassword : words.hasNoPassword,
          undefined,
          html`<a class="button small" href=${address(PATHS.password, { lang })} aria-label=${texts.buttons.labelled({ button: changes, name: words.password })}>${changes}</a>`,
        ),
      )}
      ${linksSection(visit, account)}
      ${applicationsSection(visit, account)}
      ${section(
        words.factors,
        'factors',
        words.factorsLead,
        html`${factorRows(visit, account)}${keyRows(visit, account, 'second_factor')}`,
        add('second_factor', words.addKey),
      )}
      ${dataSection(visit, account)}
      ${timesScript()}
      ${signals(removed === undefined ? account.acceptedKeys : [...account.acceptedKeys.filter(({ rpId }) => rpId !== removed.rpId), removed])}
    `,
  }
}

export function accountPage(tools: PageTools): PagePlan {
  return {
    async get(visit) {
      const found = await requireStep(tools, visit, 'none')
      if (isElsewhere(found)) return found
      const account = await readAccount(tools.app, found.person)
      return showAccount(visit, found.person, account, visit.request.query.get('done'))
    },
  }
}
