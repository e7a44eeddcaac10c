/** Sources that `signet import … --follow` reads into the database of this server. */
import { Alert, Stack, Table, Text } from '@mantine/core'
import { useTexts } from '../../../texts/index.tsx'
import type { ImportState } from './import-api.ts'
import { moveTexts } from './texts/index.ts'

/** What was read, and what is not as it is there. */
export function Followed({ followed }: Pick<ImportState, 'followed'>) {
  const t = useTexts(moveTexts)
  return followed.map(({ source, isComplete, problems }) => (
    <Stack key={source} gap="xs">
      <Text fw={600} size="sm">
        {source}
      </Text>
      <Alert color={isComplete && problems.length === 0 ? 'green' : 'yellow'}>
        {isComplete ? t.followed({ open: problems.length }) : t.followBegun}
      </Alert>
      {problems.length > 0 && (
        <Table aria-label={`${t.reasons}: ${source}`}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t.kind}</Table.Th>
              <Table.Th>{t.reason}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {problems.slice(0, 100).map(({ kind, id, reason }) => (
              <Table.Tr key={`${kind} ${id}`}>
                <Table.Td>{t.kinds[kind as keyof typeof t.kinds] ?? kind}</Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  {reason}
                  <Text size="xs" c="dimmed">
                    {id}
                  </Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Stack>
  ))
}
