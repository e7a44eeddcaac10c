/** Describes metadata of users and organizations. */
import { organizationMetadata, userMetadata } from '../../features/metadata/index.ts'
import type { MetadataDraft } from '../import/draft.ts'
import { datesOf, type Reading, type Row } from './reading.ts'

export async function* describeMetadata(reading: Reading): AsyncGenerator<MetadataDraft> {
  const about = (row: Row<unknown>) =>
    ({ kind: 'metadata', id: row.id, organizationId: row.owner, ...datesOf(row) }) as const
  for await (const row of reading.rows(organizationMetadata)) {
    if (row.state.status !== 'set') continue
    const { organizationId: objectId, key, value } = row.state
    yield { ...about(row), of: 'organization', objectId, key, value }
  }
  for await (const row of reading.rows(userMetadata)) {
    if (row.state.status !== 'set') continue
    const { userId: objectId, key, value } = row.state
    yield { ...about(row), of: 'user', objectId, key, value }
  }
}
