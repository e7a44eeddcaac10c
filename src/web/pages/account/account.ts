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
import { applicationsSection } from './applications.ts'
import { linksSection } from './links.ts'
import { actionsOf, row, section, time } from './parts.ts'
import { dataSection, deletionNotice, personalSection } from './personal.ts'

function sessionRows(visit: Visit, sessions: readonly OwnSession[]): Content {
  const { texts, language } = visit
  const words = texts.account
  const action = actionsOf(visit)
  return sessions.map(({ id, description, ip, since, lastUsedAt, expiresAt, isThis }) =>
    row(
      html`${description === '' ? words.unknownDevice : description}${isThis && html`<em>${words.thisDevice}</em>`}`,
      html`${ip !== '' && `${ip} · `}${words.since} ${time(since, language)} · ${words.lastUsed} ${time(lastUsedAt, language)} · ${words.until} ${time(expiresAt, language)}`,
      isThis
        ? action(PATHS.signOut, {}, words.signOut)
        : action(PATHS.sessions, { do: 'end', id }, words.endSession, true),
    ),
  )
}

function keyRows(visit: Visit, account: Account, use: KeyUse): Content {
  const { texts, language, lang } = visit
  const words = texts.account
  return account.keys
    .filter((key) => key.use === use)
    .map((key) =>
      row(
        key.name === '' ? words.unnamed : key.name,
        html`${use === 'second_factor' && `${words.key} · `}${words.added} ${time(key.addedAt, language)}${key.isLastWay && html`<br />${words.lastWay}`}`,
        html`
          <a class="button small" href=${address(PATHS.keys, { rename: key.id, use, lang })}>${words.rename}</a>
          ${!key.isLastWay && actionsOf(visit)(PATHS.keys, { do: 'remove', id: key.id, use }, words.remove, true)}
        `,
      ),
    )
}

function factorRows(visit: Visit, { hasTotp, otp, recoveryCodesLeft }: Account): Content {
  const { texts } = visit
  const words = texts.account
  const action = actionsOf(visit)
  const medium = (name: 'email' | 'sms', title: string, missing: string) => {
    const { isOn, target } = otp[name]
    if (target === undefined && !isOn) return row(title, missing, null)
    const fields = { medium: name, do: isOn ? 'off' : 'on' }
    return row(title, target ?? missing, action(PATHS.otp, fields, isOn ? words.switchOff : words.switchOn, isOn))
  }
  return html`
    ${row(
      words.app,
      hasTotp ? words.appOn : words.appOff,
      hasTotp
        ? action(PATHS.totp, { do: 'remove' }, words.remove, true)
        : action(PATHS.totp, { do: 'start' }, words.setUp),
    )}
    ${medium('email', words.otpEmail, words.noEmail)}
    ${medium('sms', words.otpSms, words.noPhone)}
    ${row(
      words.recovery,
      recoveryCodesLeft === 0 ? words.recoveryNone : words.recoveryLeft(recoveryCodesLeft),
      action(PATHS.recoveryCodes, { do: 'make' }, recoveryCodesLeft === 0 ? words.makeCodes : words.renewCodes),
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

function doneSentence({ account }: Texts, which: string | null): string | undefined {
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
  const others = account.sessions.some(({ isThis }) => !isThis)
  return {
    title: words.title,
    isWide: true,
    hasScript: true,
    content: html`
      ${sentence !== undefined && html`<p class="done" role="status" tabindex="-1" autofocus>${sentence}</p>`}
      ${deletionNotice(visit, account)}
      ${account.picture !== undefined && html`<img class="portrait" src=${account.picture} alt="" />`}
      ${headline(person.displayName)}
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
          html`<a class="button small" href=${address(PATHS.password, { lang })}>${account.hasPassword ? words.change : words.setUp}</a>`,
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
