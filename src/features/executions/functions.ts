/** Executions of functions: targets add to what tokens and SAML responses say. What they answer is limited and checked here. */
import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import type { App } from '../../module/app.ts'
import { budgetOf } from './budget.ts'
import type { FunctionName } from './conditions.ts'
import type { Execution } from './decider.ts'
import { executionTable } from './documents.ts'
import { goJson } from './go-json.ts'
import { runChain } from './run-chain.ts'

/** How much one answer may contain. */
const MOST_METADATA = 50
const MOST_CLAIMS = 100
const MOST_LOG_ENTRIES = 100
const LONGEST_KEY = 200
const LONGEST_LOG_ENTRY = 500
const MOST_METADATA_BYTES = 500_000
const MOST_CLAIM_CHARACTERS = 65_536
const MOST_ATTRIBUTES = 100

export interface AddedMetadata {
  readonly key: string
  /** Base64. */
  readonly value: string
}

export interface AddedClaim {
  readonly key: string
  readonly value: JsonValue
}

/** An attribute of a SAML response. */
export interface AddedAttribute {
  readonly name: string
  readonly name_format?: string | null
  readonly value?: readonly string[] | null
}

/** What the targets of a function answered, merged: later ones replace members of earlier ones. */
export interface FunctionAnswer {
  readonly set_user_metadata?: readonly AddedMetadata[]
  readonly append_claims?: readonly AddedClaim[]
  readonly append_log_claims?: readonly string[]
  readonly append_attribute?: readonly AddedAttribute[]
}

/** The execution of a function; undefined when there is none. */
export async function functionExecution(app: App, name: FunctionName): Promise<Execution | undefined> {
  return (await executionTable(app)).find([`function/${name}`])
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isKey(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value !== '' &&
    value.length <= LONGEST_KEY &&
    value.isWellFormed() &&
    !/\p{Cc}/u.test(value)
  )
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

function isMetadata(value: unknown): value is AddedMetadata {
  if (!isObject(value) || !isKey(value.key) || typeof value.value !== 'string') return false
  return value.value.length <= (MOST_METADATA_BYTES / 3) * 4 && BASE64.test(value.value)
}

function isClaim(value: unknown): value is AddedClaim {
  return isObject(value) && isKey(value.key) && value.value !== undefined
}

function isLogEntry(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST_LOG_ENTRY && value.isWellFormed()
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed()
}

function isAttribute(one: unknown): one is AddedAttribute {
  if (!isObject(one) || !isKey(one.name)) return false
  const { name_format: format, value } = one
  const hasFormat = format === undefined || format === null || format === '' || isKey(format)
  return hasFormat && (value === undefined || value === null || (Array.isArray(value) && value.every(isText)))
}

/** A list with no more than `most` of these; undefined when it is something else. */
function listOf<Item>(
  value: unknown,
  isItem: (one: unknown) => one is Item,
  most: number,
): readonly Item[] | undefined {
  return Array.isArray(value) && value.length <= most && value.every(isItem) ? value : undefined
}

function smallListOf<Item>(value: unknown, isItem: (one: unknown) => one is Item, most: number) {
  const list = listOf(value, isItem, most)
  return list !== undefined && JSON.stringify(list).length <= MOST_CLAIM_CHARACTERS ? list : undefined
}

const READERS: Readonly<Record<keyof FunctionAnswer, (value: unknown) => readonly unknown[] | undefined>> = {
  set_user_metadata: (value) => listOf(value, isMetadata, MOST_METADATA),
  append_claims: (value) => smallListOf(value, isClaim, MOST_CLAIMS),
  append_log_claims: (value) => listOf(value, isLogEntry, MOST_LOG_ENTRIES),
  append_attribute: (value) => smallListOf(value, isAttribute, MOST_ATTRIBUTES),
}

/** An answer merged into those before it; undefined when it cannot be used. */
export function mergeAnswer(before: FunctionAnswer, answer: unknown): FunctionAnswer | undefined {
  if (!isObject(answer)) return undefined
  const merged: Record<string, readonly unknown[]> = { ...before }
  for (const [name, read] of Object.entries(READERS)) {
    const given = answer[name]
    if (given === undefined || given === null) continue
    const list = read(given)
    if (list === undefined) return undefined
    merged[name] = list
  }
  return merged as FunctionAnswer
}

/** Calls the targets of a function for a user. `members` follow its name in the payload, in this order. */
export function runFunction(
  app: App,
  execution: Execution,
  members: Readonly<Record<string, unknown>>,
  { id, owner }: { readonly id: string; readonly owner: string },
): Promise<FunctionAnswer> {
  return runChain<FunctionAnswer>(app, {
    execution,
    data: {},
    payloadOf: (answers) =>
      goJson({
        function: execution.condition,
        ...members,
        ...(Object.keys(answers).length > 0 && { response: answers as unknown as JsonObject }),
      }),
    apply: mergeAnswer,
    signal: budgetOf(app),
    owners: [owner, id],
    // Tokens are made for applications; who administers targets reads the log.
    isForAdministrator: false,
  })
}
