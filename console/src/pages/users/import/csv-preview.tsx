/** What a CSV file would bring: the first users, and every row with errors, before anything is written. */
import { Stack, Table, Text } from '@mantine/core'
import type { Preview, RowProblem, UserRow } from '../../../../../src/kernel/csv/read-users.ts'
import { useLanguage, useTexts } from '../../../texts/index.tsx'
import { csvTexts } from './texts/csv/index.ts'

interface Body {
  readonly username?: string
  readonly profile: { readonly givenName: string; readonly familyName: string }
  readonly email: { readonly email: string }
}

/** The preview; with a refused first line there are problems alone. */
export function CsvPreview({ preview }: { readonly preview: Preview }) {
  const t = useTexts(csvTexts)
  const { language } = useLanguage()
  const { rows, wrongRows, problems, first } = preview
  const figure = (count: number) => count.toLocaleString(language)
  return (
    <Stack gap="sm" component="section" aria-label={t.preview}>
      <Text role="status">{t.counts({ users: figure(rows - wrongRows), wrong: figure(wrongRows) })}</Text>
      {problems.length > 0 && (
        <>
          <Text fw={600}>{rows === 0 ? t.refused : t.skipped}</Text>
          <ProblemTable problems={problems} />
        </>
      )}
      {first.length > 0 && <FirstUsers first={first} />}
    </Stack>
  )
}

function ProblemTable({ problems }: { readonly problems: readonly RowProblem[] }) {
  const t = useTexts(csvTexts)
  return (
    <Table aria-label={t.problemsLabel}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t.line}</Table.Th>
          <Table.Th>{t.column}</Table.Th>
          <Table.Th>{t.problem}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {problems.map(({ line, column, kind }) => (
          <Table.Tr key={`${line} ${column} ${kind}`}>
            <Table.Td>{line}</Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{column || '–'}</Table.Td>
            <Table.Td>{t.problems[kind]}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function FirstUsers({ first }: { readonly first: readonly UserRow[] }) {
  const t = useTexts(csvTexts)
  return (
    <Table aria-label={t.first}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t.line}</Table.Th>
          <Table.Th>{t.name}</Table.Th>
          <Table.Th>{t.email}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {first.map(({ line, body }) => {
          const { profile, email } = body as unknown as Body
          return (
            <Table.Tr key={line}>
              <Table.Td>{line}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{`${profile.givenName} ${profile.familyName}`}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{email.email}</Table.Td>
            </Table.Tr>
          )
        })}
      </Table.Tbody>
    </Table>
  )
}
