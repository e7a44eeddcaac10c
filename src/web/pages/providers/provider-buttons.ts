/** The buttons of identity providers: links, because a browser holds forms to our own pages. */

import { html } from 'htm/preact'
import type { OfferedProvider } from '../../../features/sign-in/index.ts'
import { type Content, describedByBadge } from '../../parts.ts'
import { providerMark } from './provider-marks.ts'

/** How many are always visible; the others are in a list that opens. */
const AT_A_GLANCE = 4

/** What a button says. */
export type ProviderLabel = (values: { readonly providerName: string }) => string

export interface ProviderButtons {
  readonly providers: readonly OfferedProvider[]
  readonly label: ProviderLabel
  /** Where it leads. */
  href(idpId: string): string
  /** Stands beside the text of a button. */
  badge?(idpId: string): Content
  /** What opens the rest of a long list. */
  readonly more: string
}

/** A list of buttons; nothing at all when there are none. */
export function providerButtons({ providers, label, href, badge, more }: ProviderButtons): Content {
  if (providers.length === 0) return null
  const list = (of: readonly OfferedProvider[]): Content => html`
    <ul class="providers">
      ${of.map(
        (provider) => html`
          <li>
            <a class=${`button provider ${provider.look}`} href=${href(provider.id)} aria-describedby=${describedByBadge(badge?.(provider.id))}>
              ${providerMark(provider)}<span>${label({ providerName: provider.name })}</span>${badge?.(provider.id)}
            </a>
          </li>
        `,
      )}
    </ul>
  `
  const rest = providers.slice(AT_A_GLANCE)
  return html`
    ${list(providers.slice(0, AT_A_GLANCE))}
    ${rest.length > 0 && html`<details class="more"><summary>${more}</summary>${list(rest)}</details>`}
  `
}
