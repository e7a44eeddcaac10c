/** The rows of a list as cards, for narrow screens. */
import { Group, NativeSelect, Paper, Stack, Text } from '@mantine/core'
import { useTexts } from '../texts/index.tsx'
import { RowBox, type RowsProps } from './list-table.tsx'
import { partsTexts } from './texts/index.ts'

/** One card per object; a select sorts instead of the headers. */
export function ListCards<Row>({ rows, columns, keyOf, state, label, selection }: RowsProps<Row>) {
  const t = useTexts(partsTexts)
  const [first, ...others] = columns
  const sortings = columns.flatMap(({ header, sort }) =>
    sort === undefined
      ? []
      : [
          { value: `${sort} asc`, label: `${header}, ${t.list.ascending}` },
          { value: `${sort} desc`, label: `${header}, ${t.list.descending}` },
        ],
  )
  const turn = (value: string) => {
    const [sort, order] = value.split(' ')
    state.set({ sort, order })
  }
  return (
    <Stack gap="sm">
      {sortings.length > 0 && (
        <NativeSelect
          label={t.list.sortLabel}
          data={sortings}
          value={`${state.sort} ${state.isAscending ? 'asc' : 'desc'}`}
          onChange={(event) => turn(event.currentTarget.value)}
        />
      )}
      <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label={label}>
        {rows.map((row) => (
          <Paper withBorder p="md" component="li" key={keyOf(row)}>
            <Stack gap={6}>
              <Group gap="sm" wrap="nowrap">
                {selection && <RowBox row={row} keyOf={keyOf} selection={selection} />}
                {first?.cell(row)}
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
    </Stack>
  )
}
