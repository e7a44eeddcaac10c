/** The ways on which one request reaches a method: Connect, gRPC, or REST where the contract names a path. */
import { type DescMethodUnary, fromJson, type JsonObject, type JsonValue, type Message } from '@bufbuild/protobuf'
import { namesIn, restRulesOf } from '../../src/http/protocols/rest-router.ts'
import { openCallers } from '../contract/callers.ts'

export const PATHS = ['Connect', 'gRPC', 'REST'] as const
export type Path = (typeof PATHS)[number]

function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** The address and the body of a request in REST; undefined when there is no path whose body takes all other fields. */
export function restOf(
  method: DescMethodUnary,
  body: JsonObject,
): { verb: string; path: string; rest: JsonObject } | undefined {
  for (const { verb, template, body: takes } of restRulesOf(method)) {
    const names = namesIn(template).map(camel)
    const rest = Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))
    const isNamed = names.every((name) => typeof body[name] === 'string')
    if (!isNamed || (takes !== '*' && Object.keys(rest).length > 0)) continue
    const path = template.replace(/\{([^}]*)\}/g, (_, name: string) => encodeURIComponent(String(body[camel(name)])))
    return { verb, path, rest }
  }
  return undefined
}

/** What was answered: nothing wrong, or the number of a status and the id of the refusal. */
export interface Told {
  readonly code: number
  readonly id: string
  readonly text: string
}

function messageOf(method: DescMethodUnary, body: JsonObject): Message | undefined {
  try {
    return fromJson(method.input, body)
  } catch {
    return undefined
  }
}

/** Sends requests over gRPC and REST. */
export function openPaths(url: string) {
  const clients = openCallers(Number(new URL(url).port))
  const grpc = clients.find(({ name }) => name === 'gRPC, connect-node')
  return {
    /** Undefined when a request cannot be sent so: it has other names for fields, or there is no path in the contract. */
    async ask(
      path: Path,
      method: DescMethodUnary,
      body: JsonObject,
      headers: Readonly<Record<string, string>>,
    ): Promise<Told | undefined> {
      if (path === 'REST') {
        const bound = restOf(method, body)
        if (bound === undefined) return undefined
        const hasBody = !['GET', 'DELETE'].includes(bound.verb) || Object.keys(bound.rest).length > 0
        const answer = await fetch(url + bound.path, {
          method: bound.verb,
          headers: { ...headers, ...(hasBody && { 'content-type': 'application/json' }) },
          ...(hasBody && { body: JSON.stringify(bound.rest) }),
        })
        const text = await answer.text()
        if (answer.ok) return { code: 0, id: '', text }
        const { code, details } = JSON.parse(text) as { code: number; details?: readonly { id?: string }[] }
        return { code, id: details?.find(({ id }) => id !== undefined)?.id ?? '', text }
      }
      const message = path === 'gRPC' ? messageOf(method, body) : undefined
      if (message === undefined || grpc === undefined) return undefined
      const answer = await grpc.call({ method, message, rest: { verb: '', path: '', hasBody: false }, headers })
      if (!('problem' in answer)) return { code: 0, id: '', text: JSON.stringify(answer.reply) }
      const { code, details } = answer.problem
      const ids = details.map(({ value }) => (value as { readonly id?: JsonValue }).id)
      return { code, id: String(ids.find((one) => one !== undefined) ?? ''), text: JSON.stringify(answer.problem) }
    },
    close() {
      for (const client of clients) client.close?.()
    },
  }
}
