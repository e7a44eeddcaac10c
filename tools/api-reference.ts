/** docs/reference/api.md, from the contract: every method, its REST paths, who may call it and what it does. */
import type { DescMethod, DescService } from '@bufbuild/protobuf'
import { comments } from '../contract/gen/comments.ts'
import { services } from '../contract/gen/services.ts'
import { requirementOf } from '../src/access/requirement.ts'
import { restRulesOf } from '../src/http/protocols/rest-router.ts'
import { type GeneratedFile, markdownTable, writeGenerated } from './generated-file.ts'

function restOf(method: DescMethod): string {
  return restRulesOf(method)
    .map(({ verb, template }) => `\`${verb} ${template}\``)
    .join(', ')
}

function callersOf(method: DescMethod): string {
  const needs = requirementOf(method)
  if (needs.type === 'public') return 'everyone'
  if (needs.type === 'authenticated') return 'authenticated callers'
  const where = {
    context: 'organization of the call',
    instance: 'instance',
    'every organization': 'every organization',
    target: 'organization of the object',
  }[needs.type]
  return `\`${needs.permission}\`, ${where}${'self' in needs && needs.self ? '; or your own user' : ''}`
}

function sectionOf(service: DescService): string {
  const rows = service.methods.map((method) => {
    const text = comments[`${service.typeName}.${method.name}`] ?? ''
    return [`\`${method.name}\``, restOf(method), callersOf(method), method.deprecated ? `Deprecated. ${text}` : text]
  })
  const table = markdownTable(['Method', 'REST', 'Required permission', 'Description'], rows)
  const about = comments[service.typeName]
  return [`## ${service.typeName}`, '', ...(about ? [about, ''] : []), table].join('\n')
}

const sections = services.map(sectionOf)
const text = `# Methods

Every method is available as \`POST /<service>/<method>\` over gRPC, gRPC-web and Connect. Many methods also have REST paths
with JSON bodies. The OpenAPI document at \`/openapi.json\` and \`contract/proto\` describe the fields and their limits.
Members of a JSON body and names in a query that no field has are ignored; the response names up to ten of them in the
header \`signet-unknown-fields\`, such as \`profile.nickname\`, whether the call succeeds or not.
This page is generated from the contract by \`npm run gen\`. Do not edit it.

${sections.join('\n')}`

export const page: GeneratedFile = { path: 'docs/reference/api.md', text }

if (import.meta.main) writeGenerated(page)
