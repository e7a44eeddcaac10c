/** The parts of the account page about the person: names, address, number, picture, and their data. */
import { html } from 'htm/preact'
import type { Account } from '../../../features/account/index.ts'
import type { Person } from '../../../features/sign-in/index.ts'
import { address } from '../../addresses.ts'
import { PATHS } from '../../browser.ts'
import { type Content, form } from '../../parts.ts'
import type { Visit } from '../../site.ts'
import { time } from '../../times.ts'
import { actionsOf, row, section } from './parts.ts'

/** Names, address, number and picture, each with what can be changed. */
export function personalSection(visit: Visit, person: Person, account: Account): Content {
  const { texts, lang } = visit
  const words = texts.account
  const own = texts.profile
  const { isManaged } = account
  const action = actionsOf(visit)
  const link = (path: string, text: string, fields: Readonly<Record<string, string>> = {}) =>
    html`<a class="button small" href=${address(path, { ...fields, lang })}>${text}</a>`
  // The code goes to the address that is there, and confirms it like a new one.
  const verify = (kind: 'email' | 'phone', target: string) =>
    action(PATHS.contact, { kind, do: 'send', target }, own.verify, {
      label: texts.buttons.labelled({ button: own.verify, name: target }),
    })
  return section(
    own.section,
    'personal',
    isManaged ? own.managed : undefined,
    html`
      ${row(own.name, person.displayName, link(PATHS.profile, own.change))}
      ${row(
        texts.userName,
        person.userName,
        !isManaged && account.canUseAddressAsName && action(PATHS.profile, { do: 'name' }, own.useAddress),
      )}
      ${row(
        words.email,
        html`${account.email}${!account.isEmailVerified && html`<br />${own.notVerified}`}`,
        html`
          ${!account.isEmailVerified && verify('email', account.email)}
          ${!isManaged && link(PATHS.contact, own.changeEmail, { kind: 'email' })}
        `,
      )}
      ${row(
        own.phone,
        account.phone === ''
          ? own.noPhone
          : html`${account.phone}${!account.isPhoneVerified && html`<br />${own.notVerified}`}`,
        html`
          ${account.phone !== '' && !account.isPhoneVerified && verify('phone', account.phone)}
          ${!isManaged && link(PATHS.contact, own.changePhone, { kind: 'phone' })}
          ${!isManaged && account.phone !== '' && action(PATHS.contact, { kind: 'phone', do: 'remove' }, own.removePhone, { isGrave: true })}
        `,
      )}
      ${row(texts.picture.title, undefined, link(PATHS.picture, texts.picture.change))}
    `,
  )
}

/** The download of the person's data, and the deletion where it is allowed. */
export function dataSection(visit: Visit, { allowsDeletion, deletedAt }: Account): Content {
  const { texts, lang } = visit
  const words = texts.deletion
  return section(
    words.section,
    'data',
    undefined,
    html`
      ${row(words.download, words.downloadAbout, form(PATHS.data, { lang }, words.downloadButton, undefined, 'small'))}
      ${
        allowsDeletion &&
        deletedAt === undefined &&
        row(
          words.title,
          undefined,
          html`<a class="button small grave" href=${address(PATHS.deletion, { lang })}>${words.open}</a>`,
        )
      }
    `,
  )
}

/** That the account will be deleted, and how to prevent it. */
export function deletionNotice(visit: Visit, { deletedAt }: Account): Content {
  const { texts, language, lang } = visit
  if (deletedAt === undefined) return null
  return html`
    <div class="mistakes" role="status">
      <h2>${texts.deletion.pending}</h2>
      <p>${texts.deletion.pendingUntil} ${time(deletedAt, language)}</p>
      ${form(PATHS.deletion, { do: 'cancel', lang }, texts.deletion.cancel)}
    </div>
  `
}
