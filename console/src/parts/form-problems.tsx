/** What is wrong with a form beyond its fields, read out as soon as it appears. */
import { Alert, List } from '@mantine/core'
import { useTexts } from '../texts/index.tsx'
import { partsTexts } from './texts/index.ts'

/** For the top of a form. */
export function FormProblems({ problems }: { readonly problems: readonly string[] }) {
  const t = useTexts(partsTexts)
  if (problems.length === 0) return null
  return (
    <Alert color="red" title={t.formProblems}>
      <List size="sm">
        {problems.map((problem) => (
          <List.Item key={problem}>{problem}</List.Item>
        ))}
      </List>
    </Alert>
  )
}
