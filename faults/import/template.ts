/**
 * The log of a ZITADEL that can be multiplied: an exported one from the folder that `SIGNET_PEER_SAMPLE` names (files
 * `events.ndjson`, `encryption_keys.ndjson` and `credentials.json` with `masterKey`), or a small one that is made here.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PeerRow } from '../../test/import/zitadel/peer-database.ts'

export interface Template {
  readonly rows: readonly PeerRow[]
  readonly keys: readonly { readonly id: string; readonly key: string }[]
  readonly masterKey: string
}

const INSTANCE = '500000000000000001'
const ORGANIZATION = '500000000000000002'
const PROJECT = '500000000000000003'
const PEOPLE = 25
const START = Date.UTC(2025, 0, 1)

/** Writes the events of one aggregate after the other. */
class Log {
  readonly rows: PeerRow[] = []

  add(aggregate_type: string, aggregate_id: string, owner: string, events: readonly (readonly [string, object?])[]) {
    for (const [index, [event_type, payload]] of events.entries()) {
      const at = START + this.rows.length * 1000
      this.rows.push({
        ...{ instance_id: INSTANCE, aggregate_type, aggregate_id, event_type, owner, creator: 'faults' },
        ...{ sequence: index + 1, revision: 1, in_tx_order: 1, payload: payload ?? null },
        created_at: new Date(at).toISOString(),
        position: String(at / 1000),
      })
    }
  }
}

function personIds(): readonly string[] {
  return Array.from({ length: PEOPLE }, (_, index) => String(500_000_000_000_000_100n + BigInt(index)))
}

/** An organization with people, a machine, a project with a role, an application, and who holds the role. */
function smallLog(): readonly PeerRow[] {
  const log = new Log()
  log.add('instance', INSTANCE, INSTANCE, [['instance.added', { name: 'Source' }]])
  log.add('org', ORGANIZATION, ORGANIZATION, [
    ['org.added', { name: 'Organization' }],
    ['org.domain.added', { domain: 'organization.example' }],
    ['org.metadata.set', { key: 'tier', value: 'Z29sZA==' }],
  ])
  log.add('project', PROJECT, ORGANIZATION, [
    ['project.added', { name: 'Shop' }],
    ['project.role.added', { key: 'seller', displayName: 'Seller' }],
    ['project.application.added', { appId: '500000000000000004', name: 'API' }],
    ['project.application.config.api.added', { appId: '500000000000000004', clientId: '500000000000000005@shop' }],
  ])
  log.add('user', '500000000000000006', ORGANIZATION, [['user.machine.added', { userName: 'robot', name: 'Robot' }]])
  for (const [index, id] of personIds().entries()) {
    const names = { firstName: 'First', lastName: `Last ${index}`, displayName: `Person ${index}` }
    log.add('user', id, ORGANIZATION, [
      ['user.human.added', { userName: `person-${index}`, email: `person-${index}@organization.example`, ...names }],
      ['user.human.email.verified'],
      ['user.metadata.set', { key: 'team', value: 'cmVk' }],
    ])
    log.add('usergrant', `50000000000000${2000 + index}`, ORGANIZATION, [
      ['user.grant.added', { userId: id, projectId: PROJECT, roleKeys: ['seller'] }],
    ])
  }
  return log.rows
}

async function linesOf<Row>(folder: string, file: string): Promise<readonly Row[]> {
  const text = await readFile(join(folder, file), 'utf8')
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]))
}

/** The exported log, if there is one. */
export async function readTemplate(folder = process.env.SIGNET_PEER_SAMPLE): Promise<Template> {
  if (folder === undefined) return { rows: smallLog(), keys: [], masterKey: 'a master key of thirty-two bytes' }
  const { masterKey } = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8')) as { masterKey: string }
  return {
    rows: await linesOf(folder, 'events.ndjson'),
    keys: await linesOf(folder, 'encryption_keys.ndjson'),
    masterKey,
  }
}
