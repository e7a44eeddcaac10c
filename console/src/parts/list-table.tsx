/** The rows of a list as a table, whose headers sort. */
import { Checkbox, Group, Paper, Table, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../texts/index.tsx'
import { Icon } from './icons.tsx'
import type { ListState } from './list-search.ts'
import { partsTexts } from './texts/index.ts'
import { selectionTexts } from './texts/selection/index.ts'

export interface Column<Row> {
  readonly key: string
  readonly header: string
  /** The name of the sorting, where the list can be sorted by this column. */
  readonly sort?: string
  cell(row: Row): ReactNode
}

/** Rows that can be chosen to do something with all of them. */
export interface Selection<Row> {
  readonly chosen: ReadonlySet<string>
  choose(keys: ReadonlySet<string>): void
  /** The name of a row, for the label of its box. */
  nameOf(row: Row): string
}

export interface RowsProps<Row> {
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  keyOf(row: Row): string
  readonly state: ListState
  readonly label: string
  readonly selection?: Selection<Row> | undefined
}

/** A table with one row per object. */
export function ListTable<Row>({ rows, columns, keyOf, state, label, selection }: RowsProps<Row>) {
  return (
    <Paper withBorder>
      <Table.ScrollContainer minWidth={500}>
        <Table verticalSpacing="sm" horizontalSpacing="md" highlightOnHover aria-label={label}>
          <Table.Thead>
            <Table.Tr>
              {selection && (
                <Table.Th w={1}>
                  <AllBox rows={rows} keyOf={keyOf} selection={selection} />
                </Table.Th>
              )}
              {columns.map((column) => (
                <HeaderCell key={column.key} column={column} state={state} />
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={keyOf(row)}>
                {selection && (
                  <Table.Td>
                    <RowBox row={row} keyOf={keyOf} selection={selection} />
                  </Table.Td>
                )}
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

type BoxProps<Row> = Pick<RowsProps<Row>, 'keyOf'> & { readonly selection: Selection<Row> }

/** Chooses all rows of the page, or none. */
export function AllBox<Row>({ rows, keyOf, selection }: BoxProps<Row> & Pick<RowsProps<Row>, 'rows'>) {
  const t = useTexts(selectionTexts)
  const { chosen, choose } = selection
  const isAll = rows.every((row) => chosen.has(keyOf(row)))
  return (
    <Checkbox
      aria-label={t.selectAll}
      checked={isAll}
      indeterminate={!isAll && chosen.size > 0}
      onChange={() => choose(new Set(isAll ? [] : rows.map(keyOf)))}
    />
  )
}

/** Chooses one row. */
export function RowBox<Row>({ row, keyOf, selection }: BoxProps<Row> & { readonly row: Row }) {
  const t = useTexts(selectionTexts)
  const { chosen, choose, nameOf } = selection
  const key = keyOf(row)
  const turn = () => {
    const next = new Set(chosen)
    if (!next.delete(key)) next.add(key)
    choose(next)
  }
  return <Checkbox aria-label={t.select({ name: nameOf(row) })} checked={chosen.has(key)} onChange={turn} />
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
      <UnstyledButton onClick={turn} fz="inherit" fw="inherit" title={t.list.sortBy({ column: header })}>
        <Group gap={4} wrap="nowrap">
          {header}
          <Icon name={isSorted ? (state.isAscending ? 'up' : 'down') : 'updown'} size={14} />
        </Group>
      </UnstyledButton>
    </Table.Th>
  )
}
