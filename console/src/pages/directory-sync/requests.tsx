/** The last requests of directories, and why some were refused. */
import { Text } from '@mantine/core'
import type { DirectoryRequest } from '../../../../contract/gen/signet/directory_sync/v1/directory_sync_service_pb.ts'
import { type ItemColumn, ItemList } from '../../parts/item-list.tsx'
import { Section } from '../../parts/section.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { When } from '../../parts/when.tsx'
import { useTexts } from '../../texts/index.tsx'
import type { DirectorySyncTexts } from './texts/en.ts'
import { directorySyncTexts } from './texts/index.ts'

function columnsOf(t: DirectorySyncTexts): [ItemColumn<DirectoryRequest>, ...ItemColumn<DirectoryRequest>[]] {
  return [
    {
      key: 'request',
      header: t.request,
      cell: ({ method, path }) => (
        <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {method} {path}
        </Text>
      ),
    },
    {
      key: 'result',
      header: t.result,
      cell: ({ status, scimType, message }) => (
        <>
          <StateBadge mood={status >= 400 || message !== '' ? 'bad' : 'good'} label={`${status} ${scimType}`.trim()} />
          {message !== '' && <Text size="sm">{message}</Text>}
        </>
      ),
    },
    {
      key: 'directory',
      header: t.directory,
      cell: ({ name, userId }) => <Text size="sm">{name || userId || t.unknownToken}</Text>,
    },
    { key: 'time', header: t.time, cell: ({ date }) => <When time={date} /> },
    { key: 'duration', header: t.duration, cell: ({ milliseconds }) => <Text size="sm">{milliseconds} ms</Text> },
  ]
}

export function RequestsSection({ requests }: { readonly requests: readonly DirectoryRequest[] }) {
  const t = useTexts(directorySyncTexts)
  return (
    <Section title={t.requests} description={t.requestsHint}>
      <ItemList
        label={t.requests}
        columns={columnsOf(t)}
        list={{ rows: requests, error: null, refetch: () => {} }}
        keyOf={({ date, method, path, milliseconds }) =>
          `${date?.seconds} ${date?.nanos} ${method} ${path} ${milliseconds}`
        }
        textOf={({ method, path, status, scimType, message, name }) =>
          `${method} ${path} ${status} ${scimType} ${message} ${name}`
        }
        empty={t.noRequests}
      />
    </Section>
  )
}
