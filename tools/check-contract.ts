/**
 * Says what is wrong with the contract beyond its syntax: buf's lint, methods that do not say who may call them or that
 * no module implements, REST paths that clash or name no field, deprecation without a replacement, and differences from the
 * contract that clients of the ZITADEL API know.
 */
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type DescMethod, getOption } from '@bufbuild/protobuf'
import { services } from '../contract/gen/services.ts'
import { replaced_by } from '../contract/gen/signet/v1/options_pb.ts'
import { requirementOf } from '../src/access/requirement.ts'
import { methodsOf } from '../src/app.ts'
import { openApiDocument } from '../src/http/openapi/document.ts'
import type { App } from '../src/module/app.ts'
import { compareContracts } from './compare-contract.ts'
import { problemsOfDifferences } from './contract-differences.ts'
import { runBuf } from './generate-contract.ts'
import { digestOf, readPassed, writePassed } from './passed-before.ts'
import { peerServices } from './peer-contract.ts'
import { reportProblems } from './problems.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The public protocols that are streams; methods of our own are not. */
const STREAMS: ReadonlySet<string> = new Set([
  'grpc.health.v1.Health/Watch',
  'grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
  'grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo',
  'signet.event.v1.EventService/Subscribe',
])

export const problems: string[] = []

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

/** Protos that passed buf's lint are not linted again. */
function lint(): void {
  const digest = digestOf([
    ...globSync('contract/proto/**/*.proto', { cwd: root }).sort(),
    'buf.yaml',
    'package-lock.json',
  ])
  if (readPassed('buf-lint').has(digest)) return
  runBuf('lint')
  writePassed('buf-lint', [digest])
}

/** The descriptors of clients are many: what was compared without a difference is not compared again. */
async function compareWithPeers(): Promise<void> {
  const digest = digestOf([
    ...globSync('contract/gen/signet/**/*_pb.ts', { cwd: root }).sort(),
    ...['compare-contract', 'contract-differences', 'describe-file', 'newer-contract', 'peer-contract'].map(
      (name) => `tools/${name}.ts`,
    ),
    ...['test/contract/peer-missing.ts', 'package-lock.json'],
  ])
  if (readPassed('peer-contract').has(digest)) return
  const found = problemsOfDifferences(compareContracts(services, await peerServices()).differences)
  if (found.length === 0) writePassed('peer-contract', [digest])
  problems.push(...found)
}

note(lint)
for (const method of methods) {
  note(() => requirementOf(method))
  note(() => checkReplacement(method))
  const name = `${method.parent.typeName}/${method.name}`
  if (method.methodKind !== 'unary' && !STREAMS.has(name)) problems.push(`${name} streams: only unary is served`)
}
if (problems.length === 0) note(() => openApiDocument(services, { externalUrl: 'http://localhost', version: '0' }))
// No method is called: none needs what an app has.
note(() => methodsOf({} as App))

await compareWithPeers()

if (import.meta.main) reportProblems(problems)
