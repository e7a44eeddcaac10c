/**
 * A write that changes nothing tells when its thing last changed, and not when it was asked: callers compare the date with
 * the one that they know. Every method that writes is asked twice, with the clock moved on in between.
 */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { type DescMethodUnary, fromJson, type JsonObject, type JsonValue, toJson } from '@bufbuild/protobuf'
import { instant } from '../../src/kernel/instant.ts'
import { writes } from '../matrices/targets.ts'
import { openTenants, type Tenants } from '../noninterference/world.ts'
import { assertNone } from '../support/cells.ts'
import { bothEngines } from '../support/engines.ts'

const DATES = new Set(['changeDate', 'setDate', 'creationDate', 'deletionDate'])
/** What ends things comes last, because the others need them; first what names more, because it is about a part. */
const ENDS = /^(Remove|Delete|Deactivate|Reset|Revoke|Terminate|Withdraw)/
const orderOf = ({ name, input }: DescMethodUnary) => (ENDS.test(name) ? 100 - input.fields.length : 0)

/** What is written when there is nothing in the log: the order to do something. */
const ORDERS = new Set(['signet.directory_sync.v1.ManagedUserService/EndDirectorySync'])

/** Changes of an address send a code, unless they say that it is verified. */
const VERIFIED: Readonly<Record<string, JsonObject>> = {
  'signet.user.v2.UserService/SetEmail': { isVerified: true },
  'signet.user.v2.UserService/SetPhone': { isVerified: true },
  'signet.management.v1.ManagementService/UpdateHumanEmail': { isEmailVerified: true },
  'signet.management.v1.ManagementService/UpdateHumanPhone': { isPhoneVerified: true },
}

/** The dates in the details of an answer, or in the answer itself. */
function datesIn(answer: JsonValue | undefined): readonly string[] {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return []
  const { details, ...own } = answer as JsonObject
  const dates = Object.entries(own).flatMap(([name, value]) => (DATES.has(name) ? [String(value)] : []))
  return [...dates, ...datesIn(details)]
}

for (const engine of bothEngines) {
  suite(`the date of a change on ${engine.name}`, () => {
    let tenants: Tenants
    before(async () => {
      tenants = await openTenants(engine)
    })
    after(() => tenants.dispose())

    /** What a method answers, and whether it wrote something; undefined when it refuses. */
    async function answerOf(method: DescMethodUnary, request: JsonObject) {
      const { scene, a } = tenants
      const { sequence } = (await scene.store.events({ descending: true, limit: 1 }))[0] ?? { sequence: 0 }
      scene.clock.now = instant(scene.clock.now + 60_000)
      const organizationId = a.texts.resourceOwner
      try {
        const reply = await scene.call(method, fromJson(method.input, request) as never, {
          ...scene.owner,
          organizationId,
        })
        const [next] = await scene.store.events({ from: sequence, limit: 1 })
        return { answer: toJson(method.output, reply as never), hasWritten: next !== undefined }
      } catch {
        return undefined
      }
    }

    test('is the time of the last one, whichever method repeats it', async (context) => {
      const faults: string[] = []
      let [answered, silent] = [0, 0]
      for (const method of [...writes].sort((a, b) => orderOf(a) - orderOf(b))) {
        const name = `${method.parent.typeName}/${method.name}`
        const request = { ...(tenants.requestOf(method, tenants.a) as JsonObject), ...VERIFIED[name] }
        for (let time = 0; time < 2; time++) {
          const found = await answerOf(method, request)
          if (found === undefined) break
          answered += 1
          if (found.hasWritten) continue
          silent += 1
          const now = tenants.scene.clock.now
          const isNow = datesIn(found.answer).some((date) => Date.parse(date) === now)
          if (isNow && !ORDERS.has(name)) faults.push(`${name} ${JSON.stringify(request)}`)
        }
      }
      context.diagnostic(`${writes.length} methods, ${answered} answers, ${silent} of them wrote nothing`)
      assertNone(faults)
      assert.ok(silent > 100)
    })
  })
}
