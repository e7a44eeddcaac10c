/**
 * The messages of this server against those that clients of the ZITADEL API are generated from: every field of a method
 * that both have has the same number, kind and JSON name, or an alias here. What differs is listed with the reason.
 */
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { suite, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import {
  type DescEnum,
  type DescField,
  type DescMessage,
  type DescMethod,
  type DescService,
  getOption,
} from '@bufbuild/protobuf'
import { http as peerHttp } from '@zitadel/proto/google/api/annotations_pb.js'
import { http } from '../../contract/gen/google/api/annotations_pb.ts'
import { services } from '../../contract/gen/services.ts'
import { aliases } from '../../contract/gen/signet/v1/options_pb.ts'
import { FIELD_DIFFERENCES } from './peer-differences.ts'

const PEER = join(dirname(fileURLToPath(import.meta.resolve('@zitadel/proto/zitadel/user_pb.js'))), '..')

async function peerServices(): Promise<ReadonlyMap<string, DescService>> {
  const found = new Map<string, DescService>()
  for (const file of globSync('zitadel/**/*_pb.js', { cwd: PEER })) {
    const exported: Record<string, unknown> = await import(pathToFileURL(join(PEER, file)).href)
    for (const value of Object.values(exported) as { kind?: string; typeName: string }[]) {
      if (value.kind === 'service') found.set(value.typeName, value as DescService)
    }
  }
  return found
}

const peers = await peerServices()

/** The methods that both have: ours, and that of the peer. */
const pairs = services.flatMap((service) => {
  const peer = peers.get(service.typeName.replace(/^signet\./, 'zitadel.'))
  return service.methods.flatMap((own): readonly (readonly [DescMethod, DescMethod])[] => {
    const other = peer?.methods.find(({ name }) => name === own.name)
    return other === undefined ? [] : [[own, other]]
  })
})

function kindOf(field: DescField): string {
  const scalar = 'scalar' in field && field.scalar !== undefined ? ` ${field.scalar}` : ''
  const list = field.fieldKind === 'list' ? ` of ${field.listKind}` : ''
  const map = field.fieldKind === 'map' ? ` of ${field.mapKind}` : ''
  return `${field.fieldKind}${list}${map}${scalar}`
}

/** Our field of this number, under its own or an alternative one. */
function fieldOf({ fields }: DescMessage, number: number): DescField | undefined {
  return (
    fields.find((field) => field.number === number) ??
    fields.find((field) => getOption(field, aliases).some((alias) => alias.number === number))
  )
}

/** The names by which JSON of a request can call our field. */
function namesOf(field: DescField): readonly string[] {
  const camel = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
  return [field.jsonName, ...getOption(field, aliases).map(({ name }) => camel(name))]
}

function enumDifferences(own: DescEnum, peer: DescEnum): readonly string[] {
  return peer.values.flatMap(({ number, name }) => {
    const same = own.values.filter((value) => value.number === number)
    if (same.some((value) => value.name === name)) return []
    return [same.length === 0 ? `${own.typeName}: no ${name}` : `${own.typeName}: another name than ${name}`]
  })
}

/** The differences of two messages and of all that they contain. */
function differences(own: DescMessage, peer: DescMessage, seen: Set<string>): readonly string[] {
  const pair = `${own.typeName} ${peer.typeName}`
  if (seen.has(pair)) return []
  seen.add(pair)
  return peer.fields.flatMap((theirs): readonly string[] => {
    const ours = fieldOf(own, theirs.number)
    const name = `${own.typeName}.${theirs.name}`
    if (ours === undefined) return [`${name}: missing`]
    const found: string[] = []
    if (!namesOf(ours).includes(theirs.jsonName)) found.push(`${name}: called ${ours.name}`)
    if (kindOf(ours) !== kindOf(theirs)) found.push(`${name}: ${kindOf(ours)}, not ${kindOf(theirs)}`)
    if (ours.enum !== undefined && theirs.enum !== undefined) found.push(...enumDifferences(ours.enum, theirs.enum))
    if (ours.message !== undefined && theirs.message !== undefined) {
      found.push(...differences(ours.message, theirs.message, seen))
    }
    return found
  })
}

interface Binding {
  readonly pattern: { readonly case: string | undefined; readonly value?: unknown }
}
interface Rule extends Binding {
  readonly additionalBindings: readonly Binding[]
}

/** The bindings of a rule, without the names of the variables; `prefix` is where the peer serves its v1 methods. */
function bindings(rule: Rule, prefix = ''): readonly string[] {
  return [rule, ...rule.additionalBindings].flatMap(({ pattern }) =>
    typeof pattern.value === 'string' ? [`${pattern.case} ${prefix}${pattern.value.replace(/\{[^}]*\}/g, '{}')}`] : [],
  )
}

function prefixOf({ parent }: DescMethod): string {
  const area = /^zitadel\.(admin|auth|management|system)\.v1\./.exec(parent.typeName)?.[1]
  return area === undefined ? '' : `/${area}/v1`
}

/** Fails for a difference that is not listed, and for a line of the list that is no longer one. */
function areListed(found: Iterable<string>, listed: Readonly<Record<string, readonly string[]>>): void {
  const expected = Object.values(listed).flat()
  assert.deepEqual([...new Set(found)].sort(), expected.toSorted())
}

suite('clients that were generated from the descriptors of the ZITADEL API', () => {
  test('find every service and method here that both have', () => {
    assert.ok(pairs.length > 350, String(pairs.length))
  })

  test('find every field under its number, kind and name, but for those that are listed', () => {
    const seen = new Set<string>()
    const found = pairs.flatMap(([own, peer]) => [
      ...differences(own.input, peer.input, seen),
      ...differences(own.output, peer.output, seen),
    ])
    areListed(found, FIELD_DIFFERENCES)
  })

  test('find every REST binding', () => {
    const found = pairs.flatMap(([own, peer]) => {
      const ours = bindings(getOption(own, http))
      const theirs = bindings(getOption(peer, peerHttp), prefixOf(peer))
      return theirs.filter((one) => !ours.includes(one)).map((one) => `${own.parent.name}/${own.name}: ${one}`)
    })
    assert.deepEqual(found, [])
  })
})
