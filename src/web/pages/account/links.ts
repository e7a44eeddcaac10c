/** One's accounts at other services on the account page: those that are linked, and those that could be. */

import { html } from 'htm/preact'
import type { Account } from '../../../features/account/index.ts'
import { address } from '../../addresses.ts'
import { PATHS } from '../../browser.ts'
import type { Content } from '../../parts.ts'
import type { Visit } from '../../site.ts'
import { time } from '../../times.ts'
import { providerButtons } from '../providers/provider-buttons.ts'
import { row, section } from './parts.ts'
import { removalLink } from './remove.ts'

/** Nothing where there is nothing to link and nothing linked. */
export function linksSection(visit: Visit, account: Account): Content {
  const { links, linkable } = account
  if (links.length === 0 && linkable.length === 0) return null
  const { texts, language, lang } = visit
  const words = texts.external.account
  const rows = links.map(({ idpId, externalUserId, providerName, accountName, isUsable, isLastWay, addedAt }) =>
    row(
      providerName ?? texts.external.unknown,
      html`${accountName} · ${isUsable ? html`${texts.account.added} ${time(addedAt, language)}` : words.off}${isLastWay && html`<br />${texts.account.lastWay}`}`,
      !isLastWay &&
        removalLink(
          visit,
          { what: 'link', idp: idpId, account: externalUserId },
          texts.account.remove,
          `${providerName ?? texts.external.unknown} ${accountName}`,
        ),
    ),
  )
  const buttons = providerButtons({
    providers: linkable,
    label: words.link,
    href: (idp) => address(PATHS.provider, { idp, link: 'yes', lang }),
    more: words.more,
  })
  return section(words.title, 'links', words.lead, rows, buttons)
}
