/** Every operation of the OpenAPI document has an example, and a server understands each of them. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { engines } from '../../../test/support/engines.ts'
import { openWorld, type World } from '../../../test/support/world.ts'
import { openApiOf } from '../../app.ts'
import { openPort } from '../port/listener.ts'
import { serveMethods } from '../protocols/served.ts'
import { openRouter } from '../router.ts'
import { exampleOf } from './examples.ts'

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly example?: unknown }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> }
}

interface Document {
  readonly tags: readonly { readonly 'x-displayName': string }[]
  readonly info: { readonly description: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** The path with its examples, and those of the query. */
function fill(path: string, parameters: NonNullable<Operation['parameters']>): string {
  const given = parameters.filter(({ example }) => example !== undefined)
  const query = new URLSearchParams()
  for (const { name, example } of given.filter((parameter) => parameter.in === 'query'))
    for (const value of [example].flat()) query.append(name, String(value))
  const filled = given.reduce(
    (text, one) => text.replace(`{${one.name}}`, encodeURIComponent(String(one.example))),
    path,
  )
  return query.size === 0 ? filled : `${filled}?${query}`
}

/** Refusals that say that a request is not what the contract describes. */
const NOT_UNDERSTOOD = ['request.invalid', 'request.malformed', 'route.unknown']

suite('the examples', () => {
  let world: World
  let document: Document
  before(async () => {
    world = await openWorld({ engine: engines[0] ?? assert.fail() })
    document = JSON.parse((await openApiOf(world.app)) ?? '{}') as Document
  })
  after(() => world.dispose())

  test('are there for every operation, which begin with users, sessions and applications', () => {
    const [users, sessions, applications] = document.tags.map((tag) => tag['x-displayName'])
    assert.deepEqual([users, sessions, applications], ['Users', 'Sessions', 'Applications'])
    assert.match(document.info.description, /\/ui\/docs\/reference\/errors/)
    const missing = Object.values(document.paths)
      .flatMap((verbs) => Object.values(verbs))
      .filter(({ parameters = [], requestBody }) => {
        const inPath = parameters.filter((parameter) => parameter.in === 'path')
        const bodies = Object.entries(requestBody?.content ?? {}).filter(([type]) => /json$/.test(type))
        return (
          inPath.some(({ example }) => example === undefined) || bodies.some(([, { example }]) => example === undefined)
        )
      })
    assert.deepEqual(
      missing.map(({ operationId }) => operationId),
      [],
    )
  })

  test('are read by the decoder and keep to all limits', () => {
    for (const served of serveMethods(world.methods)) {
      const text = JSON.stringify(exampleOf(served.method.descriptor))
      assert.doesNotThrow(() => served.check(served.codecs.json.read(Buffer.from(text))), `${served.name} ${text}`)
    }
  })

  test('are understood by a server, on every REST path', { timeout: 120_000 }, async (t) => {
    const { methods, authorize, app } = world
    const router = openRouter({
      methods,
      authorize,
      log: () => {},
      onFinish: () => {},
      asOneRequest: app.store.asOneRequest,
    })
    const port = await openPort({ listen: { host: '127.0.0.1', port: 0 }, router })
    t.after(() => port.close())
    const refused: string[] = []
    let calls = 0
    for (const [path, verbs] of Object.entries(document.paths)) {
      if (path.startsWith('/signet.') || ['/v2/users/import', '/v2/events/stream'].includes(path)) continue
      for (const [verb, { parameters = [], requestBody }] of Object.entries(verbs)) {
        const filled = fill(path, parameters)
        const example = requestBody?.content['application/json']?.example
        const answer = await fetch(`http://127.0.0.1:${port.address.port}${filled}`, {
          method: verb.toUpperCase(),
          headers: { authorization: `Bearer ${world.owner.bearer}`, 'content-type': 'application/json' },
          ...(example !== undefined && { body: JSON.stringify(example) }),
        })
        const { details } = (await answer.json()) as { readonly details?: readonly { readonly id?: string }[] }
        calls++
        const id = answer.ok ? '' : (details?.[0]?.id ?? '')
        if (NOT_UNDERSTOOD.includes(id)) refused.push(`${verb} ${filled}: ${JSON.stringify(details)}`)
      }
    }
    assert.deepEqual(refused, [])
    assert.ok(calls > 300, `${calls} calls`)
  })
})
