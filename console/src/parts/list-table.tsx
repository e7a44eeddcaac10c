/** The rows of a list as a table, whose headers sort. */
import { Group, Paper, Table, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../texts/index.tsx'
import { Icon } from './icons.tsx'
import type { ListState } from './list-search.ts'
import { partsTexts } from './texts/index.ts'

export interface Column<Row> {
  readonly key: string
  readonly header: string
  /** The name of the sorting, where the list can be sorted by this column. */
  readonly sort?: string
  cell(row: Row): ReactNode
}

export interface RowsProps<Row> {
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  keyOf(row: Row): string
  readonly state: ListState
  readonly label: string
}

/** A table with one row per object. */
export function ListTable<Row>({ rows, columns, keyOf, state, label }: RowsProps<Row>) {
  return (
    <Paper withBorder>
      <Table.ScrollContainer minWidth={500}>
        <Table verticalSpacing="sm" horizontalSpacing="md" highlightOnHover aria-label={label}>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <HeaderCell key={column.key} column={column} state={state} />
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={keyOf(row)}>
                {columns.map(({ key, cell }) => (
                  <Table.Td key={key}>{cell(row)}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  )
}

function HeaderCell<Row>({ column, state }: { readonly column: Column<Row>; readonly state: RowsProps<Row>['state'] }) {
  const t = useTexts(partsTexts)
  const { header, sort } = column
  if (sort === undefined) return <Table.Th>{header}</Table.Th>
  const isSorted = state.sort === sort
  const direction = state.isAscending ? 'ascending' : 'descending'
  const turn = () => state.set({ sort, order: isSorted && state.isAscending ? 'desc' : 'asc' })
  return (
    <Table.Th aria-sort={isSorted ? direction : 'none'}>
      <UnstyledButton onClick={turn} fz="inherit" fw="inherit" title={t.list.sortBy(header)}>
        <Group gap={4} wrap="nowrap">
          {header}
          <Icon name={isSorted ? (state.isAscending ? 'up' : 'down') : 'updown'} size={14} />
        </Group>
      </UnstyledButton>
    </Table.Th>
  )
}
