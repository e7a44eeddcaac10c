/** Names the fields of a refusal as the caller sent them: a field may have several names in JSON. */
import type { DescField, DescMessage } from '@bufbuild/protobuf'
import type { Failure } from '../protocols/errors.ts'
import { spellings } from './field-names.ts'

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}

function messageOf(field: DescField): DescMessage | undefined {
  return field.fieldKind === 'scalar' || field.fieldKind === 'enum' ? undefined : field.message
}

/** The path of a field with the names of the request; steps that the request does not have keep their own name. */
export function pathAsSent(schema: DescMessage, json: unknown, path: string): string {
  let here: DescMessage | undefined = schema
  let value = json
  let sent = ''
  for (const step of path.split(/\.|(?=\[)/)) {
    const index = /^\[(\d+)\]$/.exec(step)?.[1]
    if (index !== undefined) {
      sent += step
      value = Array.isArray(value) ? value[Number(index)] : undefined
      continue
    }
    const field: DescField | undefined = here?.fields.find(({ jsonName }) => jsonName === step)
    const given = value
    const name = (field && isObject(given) && spellings(field).find((one) => one in given)) || step
    sent += sent === '' ? name : `.${name}`
    value = isObject(given) ? given[name] : undefined
    here = field && messageOf(field)
  }
  return sent
}

/** What of a request has names of fields in it. */
export interface Sent {
  readonly body: Buffer | undefined
  readonly query: string
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

interface Names {
  [name: string]: Names
}

/** The names in a query, nested like the fields: `a.b=1` is `{a: {b: {}}}`. */
function nested(query: string): Names {
  const all: Names = Object.create(null)
  for (const path of new URLSearchParams(query).keys()) {
    let at = all
    for (const name of path.split('.')) {
      at[name] ??= Object.create(null) as Names
      at = at[name]
    }
  }
  return all
}

/** The failure with the names of the request; the same one if it names no field, or the body is not JSON. */
export function failureAsSent(failure: Failure, schema: DescMessage, { body, query }: Sent): Failure {
  const { violations = [], message } = failure
  if (violations.length === 0) return failure
  const hasBody = body !== undefined && body.length > 0
  const json = hasBody ? body[0] === 0x7b && parsed(body) : query !== '' && nested(query)
  if (!isObject(json)) return failure
  const renamed = violations.map(({ field, description }) => ({ field: pathAsSent(schema, json, field), description }))
  const [first, named] = [violations[0]?.field ?? '', renamed[0]?.field ?? '']
  const isSaid = first !== '' && message.includes(`: ${first}: `)
  return {
    ...failure,
    violations: renamed,
    ...(isSaid && { message: message.replace(`: ${first}: `, () => `: ${named}: `) }),
  }
}
