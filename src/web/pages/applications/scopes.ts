/** What scopes allow, in sentences. */
import { html } from 'htm/preact'
import {
  type AskingApplication,
  GROUPS,
  GROUPS_WITH_IDS,
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
    ...(has(GROUPS) || has(GROUPS_WITH_IDS) ? [words.groups] : []),
    ...(has(RESOURCE_OWNER) ? [words.organization] : []),
    ...(scopes.isForApi ? [words.api] : []),
    ...(scopes.projectIds.length > 0 ? [words.projects] : []),
  ]
}

function listOf(sentences: readonly string[]): Content {
  return html`<ul class="next">${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul>`
}

/** The sentences as a list; those about an API are the words of the API, below its address. */
export function scopeList(texts: Texts, { scopes, resource }: AskingApplication): Content {
  const own = scopeSentences(texts, scopes)
  const atResource = resource?.scopes.map(({ description }) => description) ?? []
  return html`
    ${own.length > 0 && listOf(own)}
    ${resource && html`<p><strong>${resource.uri}</strong></p>`}
    ${atResource.length > 0 && listOf(atResource)}
  `
}
