/**
 * Says what is wrong with the contract beyond its syntax: buf's lint, methods that do not say who may call them, REST
 * paths that clash or name no field, and deprecation without a replacement.
 */
import { type DescMethod, getOption } from '@bufbuild/protobuf'
import { services } from '../contract/gen/services.ts'
import { replaced_by } from '../contract/gen/signet/v1/options_pb.ts'
import { requirementOf } from '../src/access/requirement.ts'
import { openApiDocument } from '../src/http/openapi/document.ts'
import { runBuf } from './generate.ts'

/** The public protocols that are streams; methods of our own are not. */
const STREAMS: ReadonlySet<string> = new Set([
  'grpc.health.v1.Health/Watch',
  'grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
  'grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo',
])

const problems: string[] = []

/** Runs `check` and notes what it throws. */
function note(check: () => void): void {
  try {
    check()
  } catch (error) {
    problems.push((error as Error).message)
  }
}

const methods = services.flatMap((service) => service.methods)
const names = new Set(methods.map((method) => `${method.parent.typeName}/${method.name}`))

function checkReplacement(method: DescMethod): void {
  const name = `${method.parent.typeName}/${method.name}`
  const replacement = getOption(method, replaced_by)
  if (method.deprecated && !names.has(replacement)) throw new Error(`${name} is deprecated, but nothing replaces it`)
  if (!method.deprecated && replacement !== '') throw new Error(`${name} has a replacement, but is not deprecated`)
}

note(() => runBuf('lint'))
for (const method of methods) {
  note(() => requirementOf(method))
  note(() => checkReplacement(method))
  const name = `${method.parent.typeName}/${method.name}`
  if (method.methodKind !== 'unary' && !STREAMS.has(name)) problems.push(`${name} streams: only unary is served`)
}
if (problems.length === 0) note(() => openApiDocument(services, { externalUrl: 'http://localhost', version: '0' }))
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
