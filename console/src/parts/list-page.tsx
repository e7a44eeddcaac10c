/** A page with a list: search, filters, sorting and pages in the address, and every state that a list can have. */
import { Button, Group, Pagination, Paper, Select, Stack, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedCallback, useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { useTexts } from '../texts/index.tsx'
import { FailureNotice } from './failure-notice.tsx'
import { Icon } from './icons.tsx'
import { ListCards } from './list-cards.tsx'
import type { ListState } from './list-search.ts'
import { type Column, ListTable, type Selection } from './list-table.tsx'
import { PageLoader } from './page-loader.tsx'
import type { Rows } from './rows.ts'
import { partsTexts } from './texts/index.ts'
import { usePageTitle } from './use-page-title.ts'

export type { Column }

export interface Filter {
  /** The name of the search parameter. */
  readonly name: string
  readonly label: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
}

export interface ListPageProps<Row> {
  readonly title: string
  readonly description?: string
  /** Buttons, such as "Create user". */
  readonly actions?: ReactNode
  readonly state: ListState
  readonly searchLabel?: string
  readonly filters?: readonly Filter[]
  /** The first column names the row; it is the title of a card on a phone. */
  readonly columns: readonly [Column<Row>, ...Column<Row>[]]
  readonly list: Rows<Row>
  keyOf(row: Row): string
  readonly selection?: Selection<Row> | undefined
  /** What can be done with the chosen rows. */
  readonly bulk?: ReactNode
  /** What an empty list says when there is no search and no filter. */
  readonly empty?: ReactNode
}

/** The page. */
export function ListPage<Row>(props: ListPageProps<Row>) {
  usePageTitle(props.title)
  return <ListSection {...props} order={1} />
}

/** The list alone, for a tab. A table on wide screens, cards on a phone or at high zoom. */
export function ListSection<Row>(props: ListPageProps<Row> & { readonly order?: 1 | 2 }) {
  const { title, description, actions, state, list, columns, keyOf, selection, order = 2 } = props
  const t = useTexts(partsTexts)
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const titleId = useId()
  const Rows = isNarrow ? ListCards : ListTable
  return (
    <Stack gap="md" component="section" aria-labelledby={titleId}>
      <Group justify="space-between" align="flex-start">
        <div className="page-head">
          <Title order={order} {...(order === 2 && { size: 'h4' })} id={titleId}>
            {title}
          </Title>
          {description && <Text c="dimmed">{description}</Text>}
        </div>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      <ListControls {...props} />
      {props.bulk}
      {list.error !== null && <FailureNotice error={list.error} onRetry={list.refetch} />}
      {list.rows === undefined && list.error === null && <PageLoader />}
      {list.rows?.length === 0 && <EmptyList {...props} />}
      {list.rows !== undefined && list.rows.length > 0 && (
        <div aria-busy={list.isStale} style={{ opacity: list.isStale ? 0.6 : 1 }}>
          <Rows rows={list.rows} columns={columns} keyOf={keyOf} state={state} label={title} selection={selection} />
        </div>
      )}
      {list.rows !== undefined && list.total > 0 && (
        <Group justify="space-between">
          <Text size="sm" c="dimmed" role="status">
            {t.list.total({ count: list.total })}
          </Text>
          {list.total > state.limit && (
            <Pagination
              aria-label={t.list.pages}
              total={Math.ceil(list.total / state.limit)}
              value={state.page}
              onChange={(page) => state.set({ page: page === 1 ? undefined : page })}
              size="sm"
              getControlProps={(control) => ({ 'aria-label': control })}
            />
          )}
        </Group>
      )}
    </Stack>
  )
}

function ListControls<Row>({ state, searchLabel, filters = [] }: ListPageProps<Row>) {
  const t = useTexts(partsTexts)
  const [text, setText] = useState(state.q)
  const search = useDebouncedCallback((q: string) => state.set({ q }), 250)
  // The address changed by other means: back, a link, or "clear".
  useEffect(() => setText(state.q), [state.q])
  return (
    <Group align="flex-end" gap="sm">
      {searchLabel !== undefined && (
        <TextInput
          label={searchLabel}
          placeholder={t.list.search}
          type="search"
          flex="1 1 14rem"
          maw={420}
          leftSection={<Icon name="search" size={16} />}
          value={text}
          maxLength={200}
          onChange={(event) => {
            setText(event.currentTarget.value)
            search(event.currentTarget.value)
          }}
        />
      )}
      {filters.map(({ name, label, options }) => (
        <Select
          key={name}
          label={label}
          placeholder={t.list.all}
          data={[...options]}
          value={(state.filters[name] as string | undefined) ?? null}
          onChange={(value) => state.set({ [name]: value ?? undefined })}
          clearable
          clearButtonProps={{ 'aria-label': `${label}: ${t.list.all}` }}
          flex="0 1 11rem"
        />
      ))}
    </Group>
  )
}

function EmptyList<Row>({ state, filters = [], empty }: ListPageProps<Row>) {
  const t = useTexts(partsTexts)
  const cleared = Object.fromEntries(['q', ...filters.map(({ name }) => name)].map((name) => [name, undefined]))
  return (
    <Paper withBorder p="xl" ta="center">
      {state.isFiltered ? (
        <Stack align="center" gap="xs">
          <Text>{t.list.nothingFound}</Text>
          <Button variant="default" onClick={() => state.set(cleared)}>
            {t.list.clear}
          </Button>
        </Stack>
      ) : (
        (empty ?? <Text>{t.list.empty}</Text>)
      )}
    </Paper>
  )
}
