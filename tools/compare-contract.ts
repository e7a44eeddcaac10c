/**
 * Compares our contract with the one that clients of the ZITADEL API are generated from: packages, services, methods,
 * messages, field numbers, types, names and enums. What differs is listed in `contract-differences.ts`.
 */
import { type DescEnum, type DescField, type DescMessage, type DescMethod, getOption } from '@bufbuild/protobuf'
import { aliases } from '../contract/gen/signet/v1/options_pb.ts'

/** As much of a service as is compared. */
export interface ComparedService {
  readonly typeName: string
  readonly methods: readonly DescMethod[]
}

/** Two messages, or two methods, that are the same for a client: ours, and the one that it was generated from. */
export type Pair<Desc> = readonly [own: Desc, peer: Desc]

export interface Comparison {
  readonly methods: readonly Pair<DescMethod>[]
  /** All messages that the methods contain. */
  readonly messages: readonly Pair<DescMessage>[]
  readonly differences: readonly string[]
}

function kindOf(field: DescField): string {
  const scalar = 'scalar' in field && field.scalar !== undefined ? ` ${field.scalar}` : ''
  const list = field.fieldKind === 'list' ? ` of ${field.listKind}` : ''
  const map = field.fieldKind === 'map' ? ` of ${field.mapKind}` : ''
  return `${field.fieldKind}${list}${map}${scalar}`
}

/** Our field of this number, under its own or an alternative one. */
export function fieldOf({ fields }: DescMessage, number: number): DescField | undefined {
  return (
    fields.find((field) => field.number === number) ??
    fields.find((field) => getOption(field, aliases).some((alias) => alias.number === number))
  )
}

function camel(name: string): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
}

/** The names by which JSON of a request can call our field. */
function namesOf(field: DescField): readonly string[] {
  return [field.jsonName, ...getOption(field, aliases).map(({ name }) => camel(name))]
}

/** The name that payloads of actions have. */
function shownName(field: DescField): string {
  const alias = getOption(field, aliases).find(({ known }) => known)
  return alias === undefined ? field.jsonName : camel(alias.name)
}

function enumDifferences(own: DescEnum, peer: DescEnum): readonly string[] {
  return peer.values.flatMap(({ number, name }) => {
    const same = own.values.filter((value) => value.number === number)
    if (same.some((value) => value.name === name)) return []
    return [same.length === 0 ? `${own.typeName}: no ${name}` : `${own.typeName}: another name than ${name}`]
  })
}

function fieldDifferences(own: DescMessage, theirs: DescField): readonly string[] {
  const ours = fieldOf(own, theirs.number)
  const name = `${own.typeName}.${theirs.name}`
  if (ours === undefined) return [`${name}: missing`]
  const found: string[] = []
  if (!namesOf(ours).includes(theirs.jsonName)) found.push(`${name}: called ${ours.name}`)
  else if (ours.number === theirs.number && shownName(ours) !== theirs.jsonName) {
    found.push(`${name}: ${shownName(ours)} in payloads of actions`)
  }
  if (kindOf(ours) !== kindOf(theirs)) found.push(`${name}: ${kindOf(ours)}, not ${kindOf(theirs)}`)
  if (ours.enum !== undefined && theirs.enum !== undefined) found.push(...enumDifferences(ours.enum, theirs.enum))
  return found
}

/** Adds two messages and all that they contain. */
function addMessages(own: DescMessage, peer: DescMessage, pairs: Map<string, Pair<DescMessage>>): void {
  const key = `${own.typeName} ${peer.typeName}`
  if (pairs.has(key)) return
  pairs.set(key, [own, peer])
  for (const theirs of peer.fields) {
    const ours = fieldOf(own, theirs.number)
    if (ours?.message !== undefined && theirs.message !== undefined) addMessages(ours.message, theirs.message, pairs)
  }
}

/** Our name of one of theirs. */
function ownName(name: string): string {
  return name.replace(/^zitadel\./, 'signet.')
}

/** Compares all that clients know with what we serve. */
export function compareContracts(own: readonly ComparedService[], peers: readonly ComparedService[]): Comparison {
  const services = new Map(own.map((service) => [service.typeName, service]))
  const methods: Pair<DescMethod>[] = []
  const differences: string[] = []
  for (const { typeName, methods: known } of peers) {
    const served = services.get(ownName(typeName))
    if (served === undefined) {
      differences.push(`${ownName(typeName)}: not served`)
      continue
    }
    for (const theirs of known) {
      const ours = served.methods.find(({ name }) => name === theirs.name)
      const name = `${served.typeName}/${theirs.name}`
      if (ours === undefined) differences.push(`${name}: not served`)
      else methods.push([ours, theirs])
      if (ours !== undefined && ours.methodKind !== theirs.methodKind) differences.push(`${name}: ${ours.methodKind}`)
    }
  }
  const pairs = new Map<string, Pair<DescMessage>>()
  for (const [ours, theirs] of methods) {
    addMessages(ours.input, theirs.input, pairs)
    addMessages(ours.output, theirs.output, pairs)
  }
  const messages = [...pairs.values()]
  for (const [ours, theirs] of messages) {
    for (const field of theirs.fields) differences.push(...fieldDifferences(ours, field))
  }
  return { methods, messages, differences: [...new Set(differences)].sort() }
}
