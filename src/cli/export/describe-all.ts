/** Everything of an instance, in the order in which it is written again. */
import type { Draft } from '../../module/carried.ts'
import { type Carrier, carrierOf, OBJECT_ORDER } from '../carriers.ts'
import * as organizations from './organizations.ts'
import { datesOf, opener, type Reading } from './reading.ts'
import * as settings from './settings.ts'

type Describe = (reading: Reading) => AsyncGenerator<Draft>

/** Objects of kinds that do not yet say by themselves how they are carried. */
const described: Readonly<Record<string, Describe>> = {
  settings: settings.describeSettings,
  text: settings.describeTexts,
  metadata: organizations.describeMetadata,
}

async function* describeKind(reading: Reading, { kind, carried }: Carrier): AsyncGenerator<Draft> {
  const { describe } = carried
  if (describe === 'of other products') return
  const open = opener(reading)
  for await (const row of reading.rows(kind)) {
    if (!carried.lives(row.state)) continue
    const body = await describe(row.state, open(kind, row))
    if (body === undefined) continue
    yield { kind: carried.as, id: row.id, organizationId: reading.organizationOf(row.owner), ...datesOf(row), ...body }
  }
}

/** Everything of an instance. */
export async function* describeAll(reading: Reading): AsyncGenerator<Draft> {
  for (const name of OBJECT_ORDER) {
    const carrier = carrierOf(name)
    if (carrier !== undefined) yield* describeKind(reading, carrier)
    else yield* described[name]?.(reading) ?? []
  }
}
