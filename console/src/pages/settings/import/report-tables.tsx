/** What became of each kind of object, and the reasons of what was not carried. */
import { Table, Text } from '@mantine/core'
import type { MoveSummary } from '../../../../../src/kernel/import-report.ts'
import { useLanguage, useTexts } from '../../../texts/index.tsx'
import { moveTexts } from './texts/index.ts'

const COLUMNS = ['carried', 'there', 'refused', 'notCarried'] as const
/** The file has all of them. */
const MOST_REASONS = 100

/** The two tables. */
export function ReportTables({ summary: { kinds, reasons } }: { readonly summary: MoveSummary }) {
  const t = useTexts(moveTexts)
  const { language } = useLanguage()
  const figure = (count: number) => count.toLocaleString(language)
  const sorted = [...reasons].sort((one, other) => other.count - one.count)
  return (
    <>
      <Table.ScrollContainer minWidth={420}>
        <Table aria-label={t.report}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t.kind}</Table.Th>
              {COLUMNS.map((column) => (
                <Table.Th key={column}>{t.columns[column]}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {Object.entries(kinds).map(([kind, counts]) => (
              <Table.Tr key={kind}>
                <Table.Td>{t.kinds[kind as keyof typeof t.kinds] ?? kind}</Table.Td>
                {COLUMNS.map((column) => (
                  <Table.Td key={column}>{figure(counts[column])}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {sorted.length > 0 && (
        <Table.ScrollContainer minWidth={420}>
          <Table aria-label={t.reasons}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t.kind}</Table.Th>
                <Table.Th>{t.count}</Table.Th>
                <Table.Th>{t.reason}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {sorted.slice(0, MOST_REASONS).map(({ type, kind, reason, count, ids }) => (
                <Table.Tr key={`${type} ${kind} ${reason}`}>
                  <Table.Td>{t.kinds[kind as keyof typeof t.kinds] ?? kind}</Table.Td>
                  <Table.Td>{figure(count)}</Table.Td>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>
                    {t.types[type]}: {reason}
                    <Text size="xs" c="dimmed">
                      {ids.join(', ')}
                      {count > ids.length ? ', …' : ''}
                    </Text>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </>
  )
}
