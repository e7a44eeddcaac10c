/** What scopes allow, in sentences. */
import { html } from 'htm/preact'
import {
  METADATA,
  RESOURCE_OWNER,
  type Scopes,
  STANDARD_SCOPES,
} from '../../../features/authorization-requests/index.ts'
import type { Content } from '../../parts.ts'
import type { Texts } from '../../texts/en.ts'

/** A sentence for each thing that the scopes allow. Scopes that only narrow a request down have none. */
export function scopeSentences({ scopes: words }: Texts, scopes: Scopes): readonly string[] {
  const has = (scope: string) => scopes.known.includes(scope)
  return [
    ...STANDARD_SCOPES.filter(has).map((scope) => words[scope]),
    ...(scopes.wantsAllRoles || scopes.roleKeys.length > 0 ? [words.roles] : []),
    ...(has(METADATA) ? [words.metadata] : []),
    ...(has(RESOURCE_OWNER) ? [words.organization] : []),
    ...(scopes.isForApi ? [words.api] : []),
    ...(scopes.projectIds.length > 0 ? [words.projects] : []),
  ]
}

/** The sentences as a list. */
export function scopeList(texts: Texts, scopes: Scopes): Content {
  return html`<ul class="next">${scopeSentences(texts, scopes).map((sentence) => html`<li>${sentence}</li>`)}</ul>`
}
