/** A short list within a page, such as the passkeys of a user: a table on wide screens, cards on narrow ones. */
import { Group, Pagination, Paper, Stack, Table, Text, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { useTexts } from '../texts/index.tsx'
import { FailureNotice } from './failure-notice.tsx'
import { PageLoader } from './page-loader.tsx'
import { partsTexts } from './texts/index.ts'

export interface ItemColumn<Row> {
  readonly key: string
  readonly header: string
  cell(row: Row): ReactNode
}

interface ItemListProps<Row> {
  readonly label: string
  /** The first column names the row. */
  readonly columns: readonly [ItemColumn<Row>, ...ItemColumn<Row>[]]
  /** What a read answered. */
  readonly list: { readonly rows: readonly Row[] | undefined; readonly error: unknown; refetch(): unknown }
  keyOf(row: Row): string
  /** What a long list is searched by. */
  textOf(row: Row): string
  readonly empty: string
  /** Buttons of a row; false: none. */
  readonly actions?: ((row: Row) => ReactNode) | false
}

/** Longer lists get a search and pages. */
const SHORT = 10

/** The list, with every state that it can have. */
export function ItemList<Row>(props: ItemListProps<Row>) {
  const { list, textOf, empty } = props
  const t = useTexts(partsTexts)
  const [text, setText] = useState('')
  const [page, setPage] = useState(1)
  if (list.rows === undefined) {
    return list.error === null ? <PageLoader /> : <FailureNotice error={list.error} onRetry={list.refetch} />
  }
  if (list.rows.length === 0) return <Text c="dimmed">{empty}</Text>
  const found = list.rows.filter((row) => textOf(row).toLowerCase().includes(text.trim().toLowerCase()))
  const shown = found.slice((page - 1) * SHORT, page * SHORT)
  return (
    <Stack gap="sm">
      {list.rows.length > SHORT && (
        <TextInput
          type="search"
          label={t.list.search}
          maw={320}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setPage(1)
          }}
        />
      )}
      {shown.length === 0 ? <Text c="dimmed">{t.list.nothingFound}</Text> : <Items {...props} rows={shown} />}
      {list.rows.length > SHORT && (
        <Group justify="space-between">
          <Text size="sm" c="dimmed" role="status">
            {t.list.total({ count: found.length })}
          </Text>
          {found.length > SHORT && (
            <Pagination
              aria-label={t.list.pages}
              size="sm"
              total={Math.ceil(found.length / SHORT)}
              value={page}
              onChange={setPage}
              getControlProps={(control) => ({ 'aria-label': control })}
            />
          )}
        </Group>
      )}
    </Stack>
  )
}

function Items<Row>({ rows, ...props }: ItemListProps<Row> & { readonly rows: readonly Row[] }) {
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  return isNarrow ? <ItemCards {...props} rows={rows} /> : <ItemTable {...props} rows={rows} />
}

function ItemTable<Row>(props: ItemListProps<Row> & { readonly rows: readonly Row[] }) {
  const { rows, columns, keyOf, label, actions } = props
  return (
    <Table verticalSpacing="xs" aria-label={label}>
      <Table.Thead>
        <Table.Tr>
          {columns.map(({ key, header }) => (
            <Table.Th key={key}>{header}</Table.Th>
          ))}
          {actions && <Table.Td />}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={keyOf(row)}>
            {columns.map(({ key, cell }) => (
              <Table.Td key={key} style={{ overflowWrap: 'anywhere' }}>
                {cell(row)}
              </Table.Td>
            ))}
            {actions && (
              <Table.Td>
                <Group gap={4} justify="flex-end" wrap="nowrap">
                  {actions(row)}
                </Group>
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function ItemCards<Row>(props: ItemListProps<Row> & { readonly rows: readonly Row[] }) {
  const { rows, columns, keyOf, label, actions } = props
  const [first, ...others] = columns
  return (
    <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label={label}>
      {rows.map((row) => (
        <Paper withBorder p="sm" component="li" key={keyOf(row)}>
          <Stack gap={4}>
            <Group justify="space-between" wrap="nowrap">
              <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>{first.cell(row)}</div>
              <Group gap={4} wrap="nowrap">
                {actions ? actions(row) : null}
              </Group>
            </Group>
            {others.map(({ key, header, cell }) => (
              <Group key={key} justify="space-between" wrap="nowrap" gap="md">
                <Text size="sm" c="dimmed">
                  {header}
                </Text>
                <div style={{ minWidth: 0, overflowWrap: 'anywhere', textAlign: 'end' }}>{cell(row)}</div>
              </Group>
            ))}
          </Stack>
        </Paper>
      ))}
    </Stack>
  )
}
