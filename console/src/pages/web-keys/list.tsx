/** The list of the keys that sign tokens. */
import { useQuery } from '@connectrpc/connect-query'
import { Anchor, Button, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { WebKey } from '../../../../contract/gen/signet/webkey/v2/key_pb.ts'
import { WebKeyService } from '../../../../contract/gen/signet/webkey/v2/webkey_service_pb.ts'
import { usePermissions } from '../../access/me.tsx'
import { Icon } from '../../parts/icons.tsx'
import { type Column, ListPage } from '../../parts/list-page.tsx'
import { localRows } from '../../parts/local-rows.ts'
import { useListState } from '../../parts/use-list-state.ts'
import { When } from '../../parts/when.tsx'
import { useTexts } from '../../texts/index.tsx'
import { algorithmOf, KeyState, stateName } from './key-facts.tsx'
import { KEY_LIST } from './key-list-spec.ts'
import type { WebKeyTexts } from './texts/en.ts'
import { webKeyTexts } from './texts/index.ts'

/** Where the public keys are published. */
const KEYS_PATH = '/oauth/v2/keys'

function columnsOf(t: WebKeyTexts): [Column<WebKey>, ...Column<WebKey>[]] {
  return [
    {
      key: 'id',
      header: t.id,
      cell: ({ id }) => (
        <Anchor component={Link} to="/web-keys/$keyId" params={{ keyId: id } as never} size="sm" fw={500}>
          {id}
        </Anchor>
      ),
    },
    {
      key: 'algorithm',
      header: t.algorithm,
      sort: 'algorithm',
      cell: (webKey) => <Text size="sm">{algorithmOf(webKey)}</Text>,
    },
    { key: 'state', header: t.state, cell: (webKey) => <KeyState webKey={webKey} /> },
    { key: 'created', header: t.createdAt, sort: 'created', cell: ({ creationDate }) => <When time={creationDate} /> },
  ]
}

/** The page. */
export function WebKeyListPage() {
  const t = useTexts(webKeyTexts)
  const { can } = usePermissions()
  const state = useListState(KEY_LIST)
  const { data, error, refetch } = useQuery(WebKeyService.method.listWebKeys, {})
  const list = localRows<WebKey>(
    {
      rows: data?.webKeys,
      error,
      refetch,
      textOf: (webKey) => `${webKey.id} ${algorithmOf(webKey)}`,
      sorts: { created: ({ creationDate }) => Number(creationDate?.seconds ?? 0), algorithm: algorithmOf },
      filters: { state: stateName },
    },
    state,
  )
  return (
    <ListPage
      title={t.title}
      description={t.lead}
      actions={
        <>
          <Button component="a" href={KEYS_PATH} target="_blank" rel="noreferrer" variant="default">
            {t.published}
          </Button>
          {can('iam.web_key.write') && (
            <Button component={Link} to="/web-keys/new" leftSection={<Icon name="plus" size={16} />}>
              {t.create}
            </Button>
          )}
        </>
      }
      state={state}
      searchLabel={t.search}
      filters={[
        {
          name: 'state',
          label: t.state,
          options: KEY_LIST.filters.state.map((value) => ({ value, label: t.states[value] })),
        },
      ]}
      columns={columnsOf(t)}
      list={list}
      keyOf={({ id }) => id}
    />
  )
}
