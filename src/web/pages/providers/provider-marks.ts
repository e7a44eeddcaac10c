/** The marks on the buttons of providers: plain shapes and letters of our own for each type of provider. */
import { html } from 'htm/preact'
import type { OfferedProvider } from '../../../features/sign-in/index.ts'
import type { Content } from '../../parts.ts'

function drawn(content: Content): Content {
  return html`<svg class="mark plain" viewBox="0 0 24 24" aria-hidden="true">${content}</svg>`
}

function lettered(letters: string): Content {
  return drawn(html`<rect x="1" y="1" width="22" height="22" rx="6" /><text x="12" y="16.5">${letters}</text>`)
}

const key = drawn(html`<circle cx="8" cy="12" r="5" /><path d="M13 12h10M19 12v4M23 12v3" />`)
const rings = drawn(html`<circle cx="8.5" cy="12" r="6.5" /><circle cx="15.5" cy="12" r="6.5" />`)

const MARKS: Readonly<Record<OfferedProvider['type'], Content>> = {
  oidc: key,
  oauth: rings,
  azure_ad: lettered('E'),
  github: lettered('GH'),
  github_es: lettered('GH'),
  gitlab: lettered('GL'),
  gitlab_self_hosted: lettered('GL'),
  google: lettered('G'),
  apple: lettered('A'),
  ldap: lettered('L'),
  jwt: lettered('J'),
  zitadel: lettered('Z'),
  saml: lettered('S'),
}

/** The mark of a provider. */
export function providerMark({ type }: OfferedProvider): Content {
  return MARKS[type]
}
