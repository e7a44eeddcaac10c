/** Writes docs/reference/api.md from the contract: every method, its REST paths, who may call it and what it does. */
import type { DescMethod, DescService } from '@bufbuild/protobuf'
import { comments } from '../contract/gen/comments.ts'
import { services } from '../contract/gen/services.ts'
import { requirementOf } from '../src/access/requirement.ts'
import { restRulesOf } from '../src/http/protocols/rest-router.ts'
import { markdownTable, writeReferencePage } from './reference-page.ts'

function restOf(method: DescMethod): string {
  return restRulesOf(method)
    .map(({ verb, template }) => `\`${verb} ${template}\``)
    .join(', ')
}

function callersOf(method: DescMethod): string {
  const needs = requirementOf(method)
  if (needs.type === 'public') return 'anybody'
  if (needs.type === 'authenticated') return 'every signed-in caller'
  const where = { context: 'organization of the call', instance: 'instance', target: 'organization concerned' }[
    needs.type
  ]
  return `\`${needs.permission}\`, ${where}${'self' in needs && needs.self ? '; oneself' : ''}`
}

function sectionOf(service: DescService): string {
  const rows = service.methods.map((method) => {
    const text = comments[`${service.typeName}.${method.name}`] ?? ''
    return [`\`${method.name}\``, restOf(method), callersOf(method), method.deprecated ? `Deprecated. ${text}` : text]
  })
  const table = markdownTable(['Method', 'REST', 'Who may call it', 'What it does'], rows)
  const about = comments[service.typeName]
  return [`## ${service.typeName}`, '', ...(about ? [about, ''] : []), table].join('\n')
}

const sections = services.map(sectionOf)
const text = `# Methods

Every method is a \`POST\` on \`/<service>/<method>\` in gRPC, gRPC-web and Connect, and JSON on its REST paths when it has
any. Fields and limits are in the OpenAPI document that the server serves at \`/openapi.json\`, and in \`contract/proto\`.
Written by \`node tools/api-reference.ts\` from the contract: do not edit.

${sections.join('\n')}`

writeReferencePage('api.md', 'tools/api-reference.ts', text)
