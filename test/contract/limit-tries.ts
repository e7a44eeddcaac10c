/** What is tried with each limit, at the boundary and beyond, and whether the answer is what it must be. */
import assert from 'node:assert/strict'
import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import type { Problem } from './answer.ts'
import type { Limit } from './limit-cases.ts'
import { leastOf, newObject, newText, newValue, takesAnything } from './limit-values.ts'

/** What passes the limits may still be refused for what it is: then this is why, and nothing else may be. */
const OTHER_REASONS: readonly (readonly [path: RegExp, id: string])[] = [
  // One mail server can be set; the second one is refused for that alone.
  [/^/, 'mail.smtp_exists'],
  // Ids that are made up here are of no provider.
  [/^/, 'identity_provider.not_found'],
  [/^idpLinks/, 'user.identity_provider_not_found'],
  [/^organisation/, 'user.organization_not_found'],
  // Nobody has begun to register a passkey.
  [/^(userId|passkeyId|publicKeyCredential|passkeyName|)$/, 'user.not_found'],
]

export const INVALID_ARGUMENT = 3

function idOf({ details }: Problem): string {
  return String(details.map(({ value }) => (value as JsonObject).id).find((id) => id !== undefined))
}
export function fieldsOf({ details }: Problem): readonly string[] {
  return details.flatMap(({ value }) =>
    (((value as JsonObject).fieldViolations ?? []) as readonly JsonObject[]).map(({ field }) => String(field)),
  )
}

/** Says whether an answer is what it must be. */
type Judge = (problem: Problem | undefined, path: string, what: string) => void

export const isFine: Judge = (problem, path, what) => {
  if (problem === undefined) return
  const id = idOf(problem)
  const isOther = OTHER_REASONS.some(([where, other]) => other === id && where.test(path))
  assert.ok(isOther, `${path} ${what}: ${id}, ${problem.message} ${fieldsOf(problem).join(' ')}`)
}

const isRefused: Judge = (problem, path, what) => {
  assert.ok(problem, `${path} ${what} was accepted`)
  assert.deepEqual([problem.code, idOf(problem)], [INVALID_ARGUMENT, 'request.invalid'], `${path} ${what}`)
  assert.ok(fieldsOf(problem).includes(path), `${path} ${what} is called ${fieldsOf(problem).join(' ')}`)
}

interface Case {
  readonly what: string
  /** Made anew for each request: names and ids are given once. Undefined: the field is not there. */
  readonly value: () => JsonValue | undefined
  readonly judge: Judge
}

type TextLimit = Extract<Limit, { kind: 'text' | 'bytes' | 'json' }>

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1)
}

function textCases({ path, min, max, isRequired }: TextLimit): readonly Case[] {
  const name = lastOf(path)
  const cases: Case[] = [
    { what: 'of the greatest length', value: () => newValue(name, max), judge: isFine },
    { what: 'one longer', value: () => newValue(name, max + 1), judge: isRefused },
    { what: 'empty', value: () => '', judge: min > 0 || isRequired ? isRefused : isFine },
  ]
  if (min > 0 && takesAnything(name)) cases.push({ what: 'of one character', value: () => newText(1), judge: isFine })
  if (isRequired) cases.push({ what: 'not there', value: () => undefined, judge: isRefused })
  return cases
}

function bytesCases({ min, max, isRequired }: TextLimit): readonly Case[] {
  const bytes = (length: number) => () => Buffer.alloc(length, 7).toString('base64')
  return [
    { what: 'of the greatest length', value: bytes(max), judge: isFine },
    { what: 'one longer', value: bytes(max + 1), judge: isRefused },
    { what: 'of the least length', value: bytes(min), judge: isFine },
    { what: 'one shorter', value: bytes(min - 1), judge: isRefused },
    ...(isRequired ? [{ what: 'not there', value: () => undefined, judge: isRefused }] : []),
  ]
}

function jsonCases({ min, max, isRequired }: TextLimit): readonly Case[] {
  const object = (length: number) => () => newObject(length)
  return [
    { what: 'of the greatest length', value: object(max), judge: isFine },
    { what: 'one longer', value: object(max + 1), judge: isRefused },
    { what: 'of the least length', value: object(min), judge: isFine },
    { what: 'one shorter', value: object(min - 1), judge: isRefused },
    { what: 'empty', value: () => ({}), judge: isRefused },
    ...(isRequired ? [{ what: 'not there', value: () => undefined, judge: isRefused }] : []),
  ]
}

function listCases({ steps, max }: Extract<Limit, { kind: 'list' }>): readonly Case[] {
  const message = steps.at(-1)?.field.message
  const items = (length: number) => () => Array.from({ length }, () => (message === undefined ? 'x' : leastOf(message)))
  return [
    { what: 'with the most items', value: items(max), judge: isFine },
    { what: 'with one more', value: items(max + 1), judge: isRefused },
    { what: 'without any', value: items(0), judge: isFine },
  ]
}

function enumCases({ type }: Extract<Limit, { kind: 'enum' }>): readonly Case[] {
  return [
    ...type.values.map(({ name }) => ({ what: `is ${name}`, value: () => name, judge: isFine })),
    {
      what: 'is a number without a name',
      value: () => Math.max(...type.values.map(({ number }) => number)) + 1,
      judge: isRefused,
    },
  ]
}

/** What is tried with a limit. */
export function casesOf(limit: Limit): readonly Case[] {
  switch (limit.kind) {
    case 'text':
    case 'bytes':
      return limit.kind === 'text' ? textCases(limit) : bytesCases(limit)
    case 'json':
      return jsonCases(limit)
    case 'list':
      return listCases(limit)
    case 'enum':
      return enumCases(limit)
    case 'message':
      return [{ what: 'not there', value: () => undefined, judge: isRefused }]
    case 'oneof':
      return []
  }
}
